"""Means with their intervals: one row for each experiment or criterion, one panel for each metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heams.reporting.charts import scales
from heams.reporting.charts.links import packed
from heams.reporting.charts.palette import BLUE, INK
from heams.reporting.charts.text import distinct, short
from heams.reporting.charts.theme import Chart, finished, inline, step_for
from heams.reporting.figures import count, score

if TYPE_CHECKING:
    import altair as alt

MOST_ROWS = 60
"""Rows that are drawn; a chart of more says so."""
MOST_PANELS = 4
_WIDTHS = {1: 430, 2: 270, 3: 190, 4: 150}
_REFERENCE = "Grey and hollow with a dashed line: references, no competitors."


@dataclass(frozen=True, slots=True)
class Bar:
    """One mean in one row. ``low`` and ``high`` bound its 95 % interval, None where there is none.

    ``panel`` is the metric, ``n`` the number of questions, ``reference`` whether the row is a bound and no competitor,
    ``href`` a path of our own that its mark links to.
    """

    row: str
    mean: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    panel: str = ""
    reference: bool = False
    href: str | None = None

    @property
    def said(self) -> str:
        """``hybrid: 0.311 [0.284, 0.331], n 145``."""
        bounds = "" if self.low is None or self.high is None else f" [{score(self.low)}, {score(self.high)}]"
        return f"{self.row}: {score(self.mean)}{bounds}" + (f", n {count(self.n)}" if self.n is not None else "")


def interval_chart(bars: Sequence[Bar], *, title: str) -> "Chart | None":
    """Horizontal intervals around means, rows and panels in the order in which they come; None without bars.

    At most 4 panels and 60 rows are drawn, the first ones. References are grey and hollow, and a dashed line carries
    their mean through the panel. Scores from 0 to 1 are shown on that scale.
    """
    shown = _shown(bars)
    if not shown:
        return None
    import altair as alt

    panels = list(dict.fromkeys(bar.panel for bar in shown))
    rows = list(distinct([bar.row for bar in shown]).values())
    width, height = _WIDTHS[len(panels)], alt.Step(step_for(len(rows)))
    layers = alt.layer(*_layers(shown, rows), data=inline(_data(shown)))
    drawn: Chart = layers.properties(width=width, height=height)
    if len(panels) > 1:
        header = alt.Header(title=None, labelLimit=width)
        drawn = drawn.facet(column=alt.Column("panel:N", sort=panels, header=header), spacing=22)
        if any(_range(shown, panel) != scales.Range(0.0, 1.0) for panel in panels):
            drawn = drawn.resolve_scale(x="independent")
    return finished(drawn, title, subtitle=_subtitle(bars, shown), description=interval_words(bars, title=title))


def interval_words(bars: Sequence[Bar], *, title: str) -> str:
    """What the chart shows, for those who cannot see it: the extremes of each panel."""
    shown = _shown(bars)
    parts = []
    for panel in dict.fromkeys(bar.panel for bar in shown):
        members = [bar for bar in shown if bar.panel == panel]
        low, high = min(bar.mean for bar in members), max(bar.mean for bar in members)
        ends = f"highest {_at(high, members)}, lowest {_at(low, members)}"
        said = ends if low < high else f"{_all(members)} {score(high)}"
        parts.append(f"{panel}: {said}" if panel else said)
    return f"{title}: means with 95 % intervals. {'; '.join(parts)}."


def _all(members: Sequence[Bar]) -> str:
    return short(members[0].row) if len(members) == 1 else f"all {len(members)} have"


def _at(mean: float, members: Sequence[Bar]) -> str:
    names = [short(bar.row) for bar in members if bar.mean == mean]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more} ({score(mean)})"


def _shown(bars: Sequence[Bar]) -> list[Bar]:
    rows = list(dict.fromkeys(bar.row for bar in bars))[:MOST_ROWS]
    panels = list(dict.fromkeys(bar.panel for bar in bars))[:MOST_PANELS]
    return [bar for bar in bars if bar.row in rows and bar.panel in panels]


def _subtitle(bars: Sequence[Bar], shown: Sequence[Bar]) -> str:
    parts = ["Mean and 95 % interval."]
    if any(bar.reference for bar in shown):
        parts.append(_REFERENCE)
    rows, drawn = ({bar.row for bar in some} for some in (bars, shown))
    if len(rows) > len(drawn):
        parts.append(f"The first {len(drawn)} of {len(rows)}.")
    return " ".join(parts)


def _data(bars: Sequence[Bar]) -> list[dict[str, Any]]:
    names = distinct([bar.row for bar in bars])
    return [_datum(bar, names) for bar in bars]


def _datum(bar: Bar, names: Mapping[str, str]) -> dict[str, Any]:
    datum: dict[str, Any] = {
        "row": names[bar.row],
        "panel": bar.panel,
        "mean": bar.mean,
        "low": bar.low,
        "high": bar.high,
        "reference": bar.reference,
        "colour": INK if bar.reference else BLUE,
        "fill": "transparent" if bar.reference else BLUE,
        "said": f"{bar.panel}, {bar.said}" if bar.panel else bar.said,
    }
    return datum if bar.href is None else datum | {"href": packed(bar.href)}


def _range(bars: Sequence[Bar], panel: str) -> scales.Range:
    values = [value for bar in bars if bar.panel == panel for value in (bar.low, bar.mean, bar.high)]
    return scales.score_range(value for value in values if value is not None)


def _layers(bars: Sequence[Bar], rows: Sequence[str]) -> "list[alt.Chart]":
    import altair as alt

    panels = {bar.panel for bar in bars}
    ranges = {_range(bars, panel) for panel in panels}
    scale = ranges.pop().scale() if len(ranges) == 1 else alt.Scale(zero=False, padding=10)
    axis = alt.Axis(format=scales.NUMBERS, tickCount=5, domain=False, ticks=False)
    name = next(iter(panels)) if len(panels) == 1 else ""
    x = alt.X("mean:Q", title=name or None, scale=scale, axis=axis)
    y = alt.Y("row:N", sort=list(rows), title=None, axis=alt.Axis(domain=False, ticks=False, grid=False))
    stroke, fill = alt.Stroke("colour:N", scale=None), alt.Fill("fill:N", scale=None)
    base = alt.Chart()
    through = base.mark_rule(strokeDash=[2, 3], opacity=0.7, color=INK, aria=False)
    spans = base.mark_rule(strokeWidth=2.5, strokeCap="round", opacity=0.75, aria=False)
    means = base.mark_point(size=64, strokeWidth=2, opacity=1)
    marked = means.encode(x=x, y=y, stroke=stroke, fill=fill, description="said:N")
    if any(bar.href for bar in bars):
        marked = marked.encode(href="href:N")
    return [
        through.transform_filter(alt.datum.reference).encode(x=x),
        spans.transform_filter("isValid(datum.low) && isValid(datum.high)").encode(
            x=alt.X("low:Q", title=name or None, scale=scale, axis=axis), x2="high:Q", y=y, stroke=stroke
        ),
        marked,
    ]

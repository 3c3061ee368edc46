"""How long things take: the median and the 95th percentile of each row."""

from collections.abc import Sequence
from typing import NamedTuple

from heams.reporting.charts import scales
from heams.reporting.charts.palette import BLUE
from heams.reporting.charts.text import distinct, short
from heams.reporting.charts.theme import Chart, finished, inline, step_for
from heams.reporting.figures import seconds

_MILLI = 1000.0
_SUBTITLE = "Dot: median. Line to the 95th percentile."


class Times(NamedTuple):
    """Seconds of one phase, or one experiment."""

    row: str
    p50: float
    p95: float


def latency_chart(times: Sequence[Times], *, title: str) -> "Chart | None":
    """A dot at the median and a line to the 95th percentile, in seconds or milliseconds; None without rows."""
    if not times:
        return None
    import altair as alt

    names = distinct([each.row for each in times])
    factor, unit = (1.0, "seconds") if max(each.p95 for each in times) >= 1 else (_MILLI, "milliseconds")
    span = scales.amount_range(value * factor for each in times for value in (each.p50, each.p95))
    scale, axis = span.scale(), span.axis()
    median, late = (alt.X(f"{name}:Q", title=unit, scale=scale, axis=axis) for name in ("p50", "p95"))
    y = alt.Y("row:N", sort=list(names.values()), title=None, axis=alt.Axis(domain=False, ticks=False))
    base = alt.Chart().encode(y=y)
    chart = alt.layer(
        base.mark_rule(strokeWidth=2.5, color=BLUE, opacity=0.75, aria=False).encode(x=median, x2="p95:Q"),
        base.mark_tick(thickness=2.5, size=12, color=BLUE, aria=False).encode(x=late),
        base.mark_point(filled=True, size=64, color=BLUE, opacity=1).encode(x=median, description="said:N"),
        data=inline([_datum(each, names[each.row], factor) for each in times]),
        width=430,
        height=alt.Step(step_for(len(names))),
    )
    return finished(chart, title, subtitle=_SUBTITLE, description=latency_words(times, title=title))


def latency_words(times: Sequence[Times], *, title: str) -> str:
    """What the chart shows, for those who cannot see it."""
    slowest, fastest = max(times, key=lambda each: each.p50), min(times, key=lambda each: each.p50)
    return (
        f"{title}: median and 95th percentile of {len(times)} rows. Slowest median {short(slowest.row)} "
        f"({seconds(slowest.p50)}), fastest {short(fastest.row)} ({seconds(fastest.p50)})."
    )


def _datum(each: Times, row: str, factor: float) -> dict[str, object]:
    said = f"{each.row}: median {seconds(each.p50)}, 95th percentile {seconds(each.p95)}"
    return {"row": row, "p50": each.p50 * factor, "p95": each.p95 * factor, "said": said}

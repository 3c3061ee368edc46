"""How the values of a metric are distributed, by verdict."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from heams.reporting.charts import scales
from heams.reporting.charts.links import packed
from heams.reporting.charts.palette import INK, VERDICTS
from heams.reporting.charts.theme import Chart, finished, inline
from heams.reporting.figures import count, score

if TYPE_CHECKING:
    import altair as alt

_BINS = 20
_ACROSS: Mapping[str, Any] = {"format": scales.NUMBERS, "tickCount": 5, "grid": False}
_UP: Mapping[str, Any] = {"tickMinStep": 1, "tickCount": 4, "format": ",d", "domain": False}


@dataclass(frozen=True, slots=True)
class Bin:
    """``count`` values from ``low`` up to ``high`` (the last bin holds its upper end) that have one verdict."""

    low: float
    high: float
    verdict: str
    count: int
    href: str | None = None


def binned(values: Iterable[tuple[float, str]], bins: int = _BINS) -> list[Bin]:
    """(value, verdict) pairs counted in ``bins`` bins of one width: from 0 to 1 for shares, else over their range."""
    pairs = list(values)
    whole = scales.score_range(value for value, _ in pairs)
    low, width = whole.low, (whole.high - whole.low) / bins
    counted = Counter((min(int((value - low) / width), bins - 1), verdict) for value, verdict in pairs)
    return [
        Bin(low + place * width, low + (place + 1) * width, verdict, number)
        for (place, verdict), number in sorted(counted.items())
    ]


def histogram(bins: Sequence[Bin], *, title: str, metric: str, unit: str = "questions") -> "Chart | None":
    """Bars of the bins, stacked by verdict in its colour; None where nothing is in them. A bin may link to its rows."""
    filled = [found for found in bins if found.count]
    if not filled:
        return None
    import altair as alt

    verdicts = _verdicts(filled)
    edges = scales.score_range(edge for found in filled for edge in (found.low, found.high))
    bars: alt.Chart = alt.Chart(inline([_datum(found, verdicts) for found in filled])).mark_bar(binSpacing=1)
    bars = bars.encode(
        x=alt.X("low:Q", bin="binned", title=metric, scale=edges.scale(), axis=alt.Axis(**_ACROSS)),
        x2="high:Q",
        y=alt.Y("count:Q", title=unit, axis=alt.Axis(**_UP)),
        color=alt.Color("verdict:N", title=None, scale=_colours(verdicts)),
        order="order:Q",
        description="said:N",
    )
    if any(found.href for found in filled):
        bars = bars.encode(href="href:N")
    bars = bars.properties(width=430, height=180)
    return finished(bars, title, description=histogram_words(filled, title=title, unit=unit))


def _verdicts(bins: Sequence[Bin]) -> list[str]:
    """Those that are there: known ones in their order, then others by name."""
    there = {found.verdict for found in bins}
    return [*(verdict for verdict in VERDICTS if verdict in there), *sorted(there - set(VERDICTS))]


def _colours(verdicts: Sequence[str]) -> "alt.Scale":
    import altair as alt

    return alt.Scale(domain=list(verdicts), range=[VERDICTS.get(verdict, INK) for verdict in verdicts])


def histogram_words(bins: Sequence[Bin], *, title: str, unit: str = "questions") -> str:
    """What the chart shows, for those who cannot see it."""
    total: Counter[str] = Counter()
    for found in bins:
        total[found.verdict] += found.count
    verdicts = ", ".join(f"{verdict} {count(number)}" for verdict, number in total.most_common())
    fullest = max(bins, key=lambda found: found.count)
    return (
        f"{title}: {count(total.total())} {unit} ({verdicts}); most between {score(fullest.low)} and "
        f"{score(fullest.high)}."
    )


def _datum(found: Bin, verdicts: Sequence[str]) -> dict[str, object]:
    said = f"{score(found.low)} to {score(found.high)}, {found.verdict}: {count(found.count)}"
    datum = {**asdict(found), "order": verdicts.index(found.verdict), "said": said}
    return datum | {"href": None if found.href is None else packed(found.href)}

"""The values of B against those of A, question by question: above the diagonal B is better."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from heams.reporting.charts import scales
from heams.reporting.charts.palette import BLUE, INK, VERMILION
from heams.reporting.charts.text import short
from heams.reporting.charts.theme import Chart, finished, inline
from heams.reporting.figures import count, score

if TYPE_CHECKING:
    import altair as alt

_SIDE = 320
_CELLS = 40
"""Values are gathered in so many steps a side: many questions at one place are one larger dot."""
_WORDS = {"improved": BLUE, "regressed": VERMILION, "equal": INK}


def pair_scatter(pairs: Iterable[tuple[float, float]], *, title: str, a: str, b: str, metric: str) -> "Chart | None":
    """(value in A, value in B) of each question, coloured by who is better, sized by how many; None without pairs.

    ``a`` and ``b`` name the experiments. Higher values are better.
    """
    found = list(pairs)
    if not found:
        return None
    import altair as alt

    whole = scales.score_range(value for pair in found for value in pair)
    low, high = whole.low, whole.high
    counted = {word: number for word in _WORDS if (number := sum(_word(*pair) == word for pair in found))}
    legend = {word: f"{word} ({count(number)})" for word, number in counted.items()}
    room = (high - low) * 0.04
    scale, axis = scales.Range(low - room, high + room).scale(), whole.axis()
    x = alt.X("a:Q", title=f"A: {short(a)}", scale=scale, axis=axis)
    y = alt.Y("b:Q", title=f"B: {short(b)}", scale=scale, axis=axis)
    diagonal = alt.Chart(inline([{"a": low, "b": low}, {"a": high, "b": high}]))
    dashed = diagonal.mark_line(color=INK, strokeDash=[3, 3], opacity=0.6, strokeWidth=1, aria=False)
    dots = _marks(_dots(found, low, (high - low) / _CELLS, legend), legend)
    said = ", ".join(f"{count(number)} {word}" for word, number in counted.items())
    return finished(
        alt.layer(dashed.encode(x=x, y=y), dots.encode(x=x, y=y), width=_SIDE, height=_SIDE),
        title,
        subtitle=f"{metric} of each question. Above the diagonal B is better.",
        description=f"{title}: {metric} of {count(len(found))} questions in A ({a}) and B ({b}): {said}.",
    )


def _marks(dots: list[dict[str, object]], legend: Mapping[str, str]) -> "alt.Chart":
    import altair as alt

    colours = alt.Scale(domain=list(legend.values()), range=[_WORDS[word] for word in legend])
    sizes = alt.Scale(type="sqrt", range=[36, 420], domainMin=1)
    marks = alt.Chart(inline(dots)).mark_circle(opacity=0.85)
    encoded: alt.Chart = marks.encode(
        size=alt.Size("count:Q", scale=sizes, legend=None),
        color=alt.Color("word:N", title=None, scale=colours),
        description="said:N",
    )
    return encoded


def _word(a: float, b: float) -> str:
    return "equal" if a == b else "improved" if b > a else "regressed"


def _dots(
    pairs: list[tuple[float, float]], low: float, cell: float, legend: Mapping[str, str]
) -> list[dict[str, object]]:
    def gathered(value: float) -> float:
        return low + round((value - low) / cell) * cell

    counted = Counter((gathered(a), gathered(b), _word(a, b)) for a, b in pairs)
    return [
        {
            "a": a,
            "b": b,
            "word": legend[word],
            "count": number,
            "said": f"A {score(a)}, B {score(b)}: {count(number)} {word}",
        }
        for (a, b, word), number in sorted(counted.items())
    ]

"""What a judge said against what people said: how often each pair of verdicts came together."""

from collections.abc import Iterator, Sequence

from heams.reporting.charts.palette import BLUE, INK, WHITE
from heams.reporting.charts.text import distinct
from heams.reporting.charts.theme import Chart, finished, inline
from heams.reporting.figures import count

_CELL = 64
_STRONG = 0.3
"""From this share of the largest count on, a cell is dark enough for white numbers, below light enough for grey."""


def confusion_chart(
    table: Sequence[Sequence[int]], labels: Sequence[str], *, title: str, rows: str = "judge", columns: str = "people"
) -> "Chart | None":
    """A heat map of ``table[row][column]``, with the counts in its cells; None where all are 0.

    ``labels`` name rows and columns alike; what is on the diagonal agrees. A cell is as strong as its share of the
    largest one.
    """
    if not any(number for row in table for number in row):
        return None
    import altair as alt

    names = list(distinct(labels, 20).values())
    axis = alt.Axis(domain=False, ticks=False, grid=False, labelAngle=0)
    base = alt.Chart().encode(
        x=alt.X("column:N", sort=names, title=columns, axis=axis), y=alt.Y("row:N", sort=names, title=rows, axis=axis)
    )
    steps = alt.Scale(domain=[0, _STRONG - 0.001, _STRONG, 1], range=[0.04, 0.16, 0.85, 1])
    strength = alt.FillOpacity("share:Q", scale=steps, legend=None)
    cells = base.mark_rect(fill=BLUE, cornerRadius=3).encode(fillOpacity=strength, description="said:N")
    colour = alt.condition(alt.datum.share >= _STRONG, alt.value(WHITE), alt.value(INK))
    numbers = base.mark_text(fontSize=13, aria=False).encode(text=alt.Text("count:Q", format=",d"), color=colour)
    chart = alt.layer(
        cells,
        numbers,
        data=inline(list(_cells(table, names, rows, columns))),
        width=alt.Step(_CELL),
        height=alt.Step(_CELL * 0.7),
    )
    return finished(chart, title, description=confusion_words(table, title=title, rows=rows, columns=columns))


def _cells(
    table: Sequence[Sequence[int]], names: Sequence[str], rows: str, columns: str
) -> Iterator[dict[str, object]]:
    most = max(number for row in table for number in row)
    for row, numbers in zip(names, table, strict=True):
        for column, number in zip(names, numbers, strict=True):
            said = f"{rows} {row}, {columns} {column}: {count(number)}"
            yield {"row": row, "column": column, "count": number, "share": number / most, "said": said}


def confusion_words(table: Sequence[Sequence[int]], *, title: str, rows: str, columns: str) -> str:
    """What the chart shows, for those who cannot see it."""
    total = sum(map(sum, table))
    agreed = sum(row[place] for place, row in enumerate(table))
    return f"{title}: {rows} and {columns} agree in {count(agreed)} of {count(total)} ({agreed / total:.0%})."

"""How scores move over the course of a stream: one line for each memory."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from heams.reporting.charts import scales
from heams.reporting.charts.palette import INK, SERIES
from heams.reporting.charts.text import distinct, short
from heams.reporting.charts.theme import Chart, finished, inline
from heams.reporting.figures import score

if TYPE_CHECKING:
    import altair as alt

_APART = 0.025


class Step(NamedTuple):
    """The mean in one part of the course, such as the ``first`` third, and its 95 % interval where it has one."""

    line: str
    part: str
    mean: float
    low: float | None = None
    high: float | None = None
    reference: bool = False


def learning_chart(steps: Sequence[Step], *, title: str, metric: str, course: str = "") -> "Chart | None":
    """Lines from part to part, in the order in which parts come; None where no line has two parts.

    References are grey and dashed. ``course`` is the title of the horizontal axis.
    """
    lines = list(dict.fromkeys(step.line for step in steps))
    if all(sum(step.line == line for step in steps) < 2 for line in lines):
        return None
    import altair as alt

    parts = list(dict.fromkeys(step.part for step in steps))
    chart = alt.layer(
        *_layers(steps, lines, parts, metric, course),
        data=inline(_data(steps, lines, parts)),
        width=max(320, 110 * len(parts)),
        height=240,
    )
    subtitle = "Mean and 95 % interval." + (" Grey and dashed: references." if any(s.reference for s in steps) else "")
    return finished(chart, title, subtitle=subtitle, description=learning_words(steps, title=title, metric=metric))


def _layers(
    steps: Sequence[Step], lines: Sequence[str], parts: Sequence[str], metric: str, course: str
) -> "list[alt.Chart]":
    import altair as alt

    names = list(distinct(lines).values())
    colours = alt.Scale(domain=names, range=_colours(lines, {step.line for step in steps if step.reference}))
    legend = alt.Legend(symbolOpacity=1)
    base = alt.Chart().encode(
        x=alt.X(
            "x:Q",
            title=course or None,
            axis=_places(parts),
            scale=alt.Scale(domain=[-0.3, len(parts) - 0.7], nice=False),
        ),
        color=alt.Color("line:N", title=None, sort=names, legend=legend, scale=colours),
    )
    ends = scales.score_range(value for step in steps for value in step[2:5] if value is not None)
    scale, axis = ends.scale(), ends.axis()
    mean, low = (alt.Y(f"{name}:Q", title=metric, scale=scale, axis=axis) for name in ("mean", "low"))
    dash = alt.condition(alt.datum.reference, alt.value([4, 3]), alt.value([1, 0]))
    spans = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    return [
        spans.mark_rule(opacity=0.35, strokeWidth=2, aria=False).encode(y=low, y2="high:Q"),
        base.mark_line(strokeWidth=2, aria=False).encode(y=mean, strokeDash=dash),
        base.mark_point(filled=True, size=56, opacity=1).encode(y=mean, description="said:N"),
    ]


def _places(parts: Sequence[str]) -> "alt.Axis":
    """Parts at 0, 1, 2, …: a numeric axis, so that lines can stand apart at each of them."""
    import altair as alt

    names = f"{json.dumps(list(parts))}[datum.value]"
    return alt.Axis(values=list(range(len(parts))), labelExpr=names, ticks=False, domain=False, grid=False)


def learning_words(steps: Sequence[Step], *, title: str, metric: str) -> str:
    """What the chart shows, for those who cannot see it: where each line begins and ends."""
    said = []
    for line in dict.fromkeys(step.line for step in steps):
        means = [step.mean for step in steps if step.line == line]
        said.append(f"{short(line)} from {score(means[0])} to {score(means[-1])}")
    return f"{title}: {metric}. {'; '.join(said)}."


def _colours(lines: Sequence[str], references: set[str]) -> list[str]:
    competitors = [line for line in lines if line not in references]
    return [INK if line in references else SERIES[competitors.index(line) % len(SERIES)] for line in lines]


def _data(steps: Sequence[Step], lines: Sequence[str], parts: Sequence[str]) -> list[dict[str, object]]:
    """Rows of the chart; lines are set apart a little, so that their intervals do not cover each other."""
    names = distinct(lines)
    middle = (len(lines) - 1) / 2
    return [
        {
            **step._asdict(),
            "line": names[step.line],
            "x": parts.index(step.part) + (lines.index(step.line) - middle) * _APART,
            "said": f"{step.line}, {step.part}: {score(step.mean)}{_bounds(step)}",
        }
        for step in steps
    ]


def _bounds(step: Step) -> str:
    return "" if step.low is None or step.high is None else f" [{score(step.low)}, {score(step.high)}]"

"""Points on two axes that both count, with the front of those that no other point beats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from heams.reporting.charts import scales
from heams.reporting.charts.label_places import Named, places
from heams.reporting.charts.links import packed
from heams.reporting.charts.palette import BLUE, INK
from heams.reporting.charts.pareto import pareto_front
from heams.reporting.charts.text import distinct, number, short
from heams.reporting.charts.theme import Chart, finished, inline

if TYPE_CHECKING:
    import altair as alt

WIDTH, HEIGHT = 460, 320
_NAME_LIMIT = 28
_SAME_PLACE = 4.0
"""Pixels within which points share one name."""
_NAMES_OF_ONE_PLACE = 3


@dataclass(frozen=True, slots=True)
class Point:
    """Something with a value on both axes. ``said`` is shown on hovering, ``href`` is a path of our own."""

    name: str
    x: float
    y: float
    reference: bool = False
    said: str = ""
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis measures, with its unit in the title, its range, and which end is the good one."""

    title: str
    range: scales.Range
    lower_is_better: bool = False

    @property
    def arrow_title(self) -> str:
        """The title and the direction that is better."""
        return f"{self.title} ({'lower' if self.lower_is_better else 'higher'} is better)"


def scatter(points: Sequence[Point], x: Axis, y: Axis, *, title: str) -> "Chart | None":
    """Competitors as dots, filled where they are on the Pareto front, which is drawn as steps; None without points.

    References are grey diamonds and never on the front. Points at the same place share a name; names that find no room
    are left out (all are shown on hovering).
    """
    if not points:
        return None
    import altair as alt

    front = front_of(points, x, y)
    layers = [_front_line(front, x, y), _marks(points, front, x, y), *_names(points, front, x, y)]
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return finished(chart, title, subtitle=_subtitle(points), description=scatter_words(points, x, y, title=title))


def scatter_words(points: Sequence[Point], x: Axis, y: Axis, *, title: str) -> str:
    """What the chart shows, for those who cannot see it: the points of the front."""
    best = ", ".join(
        f"{short(point.name)} ({number(point.x)}, {number(point.y)})" for point in front_of(points, x, y)[:6]
    )
    said = f"No competitor beats {best}" if best else "Only references are shown"
    return f"{title}. {y.arrow_title} against {x.arrow_title}. {said}."


def front_of(points: Sequence[Point], x: Axis, y: Axis) -> list[Point]:
    """The competitors on the Pareto front, from left to right."""
    competitors = [point for point in points if not point.reference]
    places_of_front = pareto_front(
        [(point.x, point.y) for point in competitors], lower_is_better=(x.lower_is_better, y.lower_is_better)
    )
    return sorted((competitors[place] for place in places_of_front), key=lambda point: (point.x, point.y))


def _subtitle(points: Sequence[Point]) -> str:
    parts = ["Filled, on the line: no other competitor is better in both."]
    if any(point.reference for point in points):
        parts.append("Grey: references.")
    return " ".join(parts)


def _encodings(x: Axis, y: Axis) -> "tuple[alt.X, alt.Y]":
    import altair as alt

    return (
        alt.X("x:Q", title=x.arrow_title, scale=x.range.scale(), axis=x.range.axis()),
        alt.Y("y:Q", title=y.arrow_title, scale=y.range.scale(), axis=y.range.axis()),
    )


def _front_line(front: Sequence[Point], x: Axis, y: Axis) -> "alt.Chart":
    import altair as alt

    horizontal, vertical = _encodings(x, y)
    steps: Literal["step-after", "step-before"] = "step-after" if x.lower_is_better else "step-before"
    data = inline([{"x": point.x, "y": point.y} for point in front])
    line = alt.Chart(data).mark_line(interpolate=steps, color=BLUE, opacity=0.45, strokeWidth=1.5, aria=False)
    placed: alt.Chart = line.encode(x=horizontal, y=vertical)
    return placed


def _marks(points: Sequence[Point], front: Sequence[Point], x: Axis, y: Axis) -> "alt.Chart":
    import altair as alt

    horizontal, vertical = _encodings(x, y)
    marks: alt.Chart = alt.Chart(inline([_datum(point, point in front) for point in points])).mark_point(
        size=80, strokeWidth=2, opacity=1
    )
    marks = marks.encode(
        x=horizontal,
        y=vertical,
        shape=alt.Shape("shape:N", scale=None),
        stroke=alt.Stroke("stroke:N", scale=None),
        fill=alt.Fill("fill:N", scale=None),
        description="said:N",
    )
    if any(point.href for point in points):
        marks = marks.encode(href="href:N")
    return marks


def _datum(point: Point, front: bool) -> dict[str, Any]:
    said = point.said or f"{point.name}: {number(point.x)}, {number(point.y)}"
    datum: dict[str, Any] = {
        "x": point.x,
        "y": point.y,
        "shape": "diamond" if point.reference else "circle",
        "stroke": INK if point.reference else BLUE,
        "fill": BLUE if front else "transparent",
        "said": said,
    }
    return datum if point.href is None else datum | {"href": packed(point.href)}


def _names(points: Sequence[Point], front: Sequence[Point], x: Axis, y: Axis) -> "list[alt.Chart]":
    """Text beside points: that of the front has the first choice of place, that of references the second."""
    import altair as alt

    first = sorted(points, key=lambda point: (point not in front, not point.reference))
    found = places(_by_place(first, front, x, y), WIDTH, HEIGHT)
    texts = []
    for align in ("left", "right"):
        values = [{"text": place.text, "x": place.x, "y": place.y} for place in found if place.align == align]
        if values:
            text = alt.Chart(inline(values)).mark_text(align=align, baseline="middle", color=INK, aria=False)
            pixels = {"x": alt.X("x:Q", scale=None, axis=None), "y": alt.Y("y:Q", scale=None, axis=None)}
            texts.append(text.encode(text="text:N", **pixels))
    return texts


def _by_place(points: Sequence[Point], front: Sequence[Point], x: Axis, y: Axis) -> list[Named]:
    names = distinct([point.name for point in points], _NAME_LIMIT)
    groups: list[tuple[list[Point], float, float]] = []
    for point in points:
        left, top = x.range.share(point.x) * WIDTH, (1 - y.range.share(point.y)) * HEIGHT
        near = (group for group in groups if max(abs(group[1] - left), abs(group[2] - top)) <= _SAME_PLACE)
        group = next(near, None)
        if group is None:
            groups.append(([point], left, top))
        else:
            group[0].append(point)
    return [
        Named(
            _together(list(dict.fromkeys(names[point.name] for point in members))),
            left,
            top,
            raised=any(point in front for point in members),
        )
        for members, left, top in groups
    ]


def _together(members: Sequence[str]) -> str:
    more = len(members) - _NAMES_OF_ONE_PLACE
    return ", ".join(members[:_NAMES_OF_ONE_PLACE]) + (f" + {more}" if more > 0 else "")

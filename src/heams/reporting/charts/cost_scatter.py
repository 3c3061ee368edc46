"""What is scored against what it takes: money, tokens or seconds."""

from collections.abc import Sequence

from heams.reporting.charts.scales import amount_range, close_range
from heams.reporting.charts.scatter import Axis, Point, scatter
from heams.reporting.charts.theme import Chart


def cost_scatter(points: Sequence[Point], *, title: str, metric: str, cost: str = "cost, USD") -> "Chart | None":
    """``x`` is what it takes (lower is better, never negative), ``y`` the score; None without points.

    ``cost`` names the unit: ``cost, USD``, ``recalled tokens, p50``. Very different costs have a logarithmic
    axis, and scores from 0 to 1 end near the highest.
    """
    return scatter(points, *cost_axes(points, metric=metric, cost=cost), title=title)


def cost_axes(points: Sequence[Point], *, metric: str, cost: str) -> tuple[Axis, Axis]:
    """The horizontal and the vertical axis."""
    across = Axis(cost, amount_range(point.x for point in points), lower_is_better=True)
    return across, Axis(metric, close_range(point.y for point in points))

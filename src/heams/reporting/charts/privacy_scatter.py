"""What is of use against what is protected: both count together."""

from collections.abc import Sequence

from heams.reporting.charts.scales import score_range
from heams.reporting.charts.scatter import Axis, Point, scatter
from heams.reporting.charts.theme import Chart


def privacy_scatter(points: Sequence[Point], *, title: str, use: str, protection: str) -> "Chart | None":
    """``x`` is a score of use (or performance), ``y`` one of protection, both higher is better; None without points.

    ``use`` and ``protection`` are the names of the metrics. The upper right corner is where both are had.
    """
    return scatter(points, *privacy_axes(points, use=use, protection=protection), title=title)


def privacy_axes(points: Sequence[Point], *, use: str, protection: str) -> tuple[Axis, Axis]:
    """The horizontal and the vertical axis."""
    across = Axis(use, score_range(point.x for point in points))
    return across, Axis(protection, score_range(point.y for point in points))

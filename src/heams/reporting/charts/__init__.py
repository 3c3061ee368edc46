"""Charts of results: one Altair specification a file, drawn as SVG for reports and pages.

Builders return None where there is nothing to show; the caller says why. Altair is imported when a chart is built, the
renderer lives in a process of its own.
"""

from heams.reporting.charts.confusion import confusion_chart
from heams.reporting.charts.cost_scatter import cost_scatter
from heams.reporting.charts.errors import ChartError
from heams.reporting.charts.figure import Figure
from heams.reporting.charts.histogram import Bin, binned, histogram
from heams.reporting.charts.intervals import Bar, interval_chart
from heams.reporting.charts.latency import Times, latency_chart
from heams.reporting.charts.learning import Step, learning_chart
from heams.reporting.charts.pairs import pair_scatter
from heams.reporting.charts.pareto import pareto_front
from heams.reporting.charts.privacy_scatter import privacy_scatter
from heams.reporting.charts.render import svg
from heams.reporting.charts.scatter import Axis, Point, scatter

__all__ = [
    "Axis",
    "Bar",
    "Bin",
    "ChartError",
    "Figure",
    "Point",
    "Step",
    "Times",
    "binned",
    "confusion_chart",
    "cost_scatter",
    "histogram",
    "interval_chart",
    "latency_chart",
    "learning_chart",
    "pair_scatter",
    "pareto_front",
    "privacy_scatter",
    "scatter",
    "svg",
]

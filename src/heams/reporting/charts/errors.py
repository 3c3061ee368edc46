"""The error of everything that draws."""

from heams.reporting.errors import ResultsError


class ChartError(ResultsError):
    """A chart cannot be drawn: its specification is wrong, or the process that draws ended."""

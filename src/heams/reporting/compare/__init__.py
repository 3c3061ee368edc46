"""Compares two experiments question by question: what differs, by how much, and whether it could be chance."""

from heams.reporting.compare.comparison import PairedComparison, compare
from heams.reporting.compare.groups import PairedGroup
from heams.reporting.compare.metric_choice import MetricKey, headline_metrics, metric_named
from heams.reporting.compare.numbers import PairedNumbers, TwoByTwo
from heams.reporting.compare.paired_test import PairedTest
from heams.reporting.compare.pairs import CELLS, Cell, Pair, Pairs
from heams.reporting.compare.side import Side
from heams.reporting.compare.unlike import ALLOWABLE, Unlike, UnlikeExperiments

__all__ = [
    "ALLOWABLE",
    "CELLS",
    "Cell",
    "MetricKey",
    "Pair",
    "PairedComparison",
    "PairedGroup",
    "PairedNumbers",
    "PairedTest",
    "Pairs",
    "Side",
    "TwoByTwo",
    "Unlike",
    "UnlikeExperiments",
    "compare",
    "headline_metrics",
    "metric_named",
]

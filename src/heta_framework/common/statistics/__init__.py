"""Means, proportions and percentiles, with intervals that know about clusters."""

from heta_framework.common.statistics.bootstrap import Draws, clustered_interval, mean_interval
from heta_framework.common.statistics.interval import Interval
from heta_framework.common.statistics.percentiles import percentile
from heta_framework.common.statistics.summary import Summary, summarise
from heta_framework.common.statistics.wilson import wilson_interval

__all__ = [
    "Draws",
    "Interval",
    "Summary",
    "clustered_interval",
    "mean_interval",
    "percentile",
    "summarise",
    "wilson_interval",
]

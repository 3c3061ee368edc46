"""Means, proportions, percentiles and paired comparisons, with intervals and tests that know about clusters."""

from heta_framework.common.statistics.bootstrap import Draws, clustered_interval, mean_interval
from heta_framework.common.statistics.holm import holm
from heta_framework.common.statistics.interval import Interval
from heta_framework.common.statistics.kappa import cohen_kappa, cohen_kappa_interval
from heta_framework.common.statistics.mcnemar import mcnemar_exact
from heta_framework.common.statistics.percentiles import percentile
from heta_framework.common.statistics.permutation import PermutationTest, paired_permutation
from heta_framework.common.statistics.summary import Summary, summarise
from heta_framework.common.statistics.wilson import wilson_interval

__all__ = [
    "Draws",
    "Interval",
    "PermutationTest",
    "Summary",
    "clustered_interval",
    "cohen_kappa",
    "cohen_kappa_interval",
    "holm",
    "mcnemar_exact",
    "mean_interval",
    "paired_permutation",
    "percentile",
    "summarise",
    "wilson_interval",
]

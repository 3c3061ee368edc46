"""Percentiles, for latencies as p50 and p95."""

from collections.abc import Sequence

import numpy as np

from heta_framework.common.statistics.checks import checked_values


def percentile(values: Sequence[float], q: float) -> float:
    """Return the percentile `q` (0 to 100) of `values`, linear between neighbours.

    It is type 7 of R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50
    (1996), as in numpy. Raises ValueError for no values, values that are not finite, and `q` outside [0, 100].
    """
    if not 0 <= q <= 100:
        raise ValueError(f"found the percentile {q}; it must lie between 0 and 100")
    return float(np.percentile(checked_values(values), q))

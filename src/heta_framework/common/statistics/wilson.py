"""The interval of a proportion."""

from math import sqrt
from statistics import NormalDist

from heta_framework.common.statistics.checks import checked_confidence
from heta_framework.common.statistics.interval import Interval


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval, without continuity correction, for `successes` out of `n` independent trials.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927). The bounds lie
    in [0, 1]; the low one is exactly 0 without a success and the high one exactly 1 without a failure.

    Raises ValueError unless 0 <= successes <= n, n >= 1 and 0 < confidence < 1.
    """
    if not (0 <= successes <= n and n >= 1):
        raise ValueError(f"found {successes} successes in {n} trials; 0 <= successes <= n with n >= 1 is needed")
    z = NormalDist().inv_cdf((1 + checked_confidence(confidence)) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else centre - reach
    high = 1.0 if successes == n else centre + reach
    return Interval(low, high, "wilson")

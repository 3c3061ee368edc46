"""How far two raters agree beyond chance, from the table of their labels."""

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

import numpy as np

from heta_framework.common.statistics.checks import checked_confidence
from heta_framework.common.statistics.interval import Interval

Table: TypeAlias = Sequence[Sequence[int]]


def cohen_kappa(table: Table) -> float | None:
    """Return Cohen's kappa, from -1 to 1; ``table[i][j]`` counts the items that got label i from one rater and j from
    the other.

    J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960):
    (observed - expected) / (1 - expected), where expected is the agreement of independent raters with these margins.
    None without items, and when both raters always give the same single label: chance would explain all agreement.

    Raises ValueError for a table that is not square or holds a negative count.
    """
    rows = _checked(table)
    total, agreed = sum(map(sum, rows)), sum(row[place] for place, row in enumerate(rows))
    expected = sum(sum(row) * sum(other[place] for other in rows) for place, row in enumerate(rows))
    if expected == total * total:
        return None
    return (agreed * total - expected) / (total * total - expected)


def cohen_kappa_interval(table: Table, confidence: float = 0.95) -> Interval | None:
    """Return the interval of Cohen's kappa for independent items, cut at -1 and 1.

    J. L. Fleiss, J. Cohen, B. S. Everitt, "Large sample standard errors of kappa and weighted kappa", Psychological
    Bulletin 72 (1969), for a kappa that is not 0. It is for large samples: with a few dozen items it is a rough guide.
    None where kappa is not defined, and where the standard error is 0 (raters who agree on everything), because an
    interval without width would claim certainty.

    Raises ValueError as `cohen_kappa` does, and for a confidence outside (0, 1).
    """
    from scipy.special import ndtri

    reach = float(ndtri((1 + checked_confidence(confidence)) / 2))
    kappa = cohen_kappa(table)
    error = None if kappa is None else _standard_error(table, kappa)
    if kappa is None or not error:
        return None
    return Interval(max(-1.0, kappa - reach * error), min(1.0, kappa + reach * error), "fleiss-cohen-everitt")


def _standard_error(table: Table, kappa: float) -> float:
    counts = np.asarray(table, dtype=np.float64)
    total = counts.sum()
    shares = counts / total
    one, other = shares.sum(axis=1), shares.sum(axis=0)
    expected = one @ other
    weights = -((1 - kappa) * np.add.outer(other, one))
    weights[np.diag_indices_from(weights)] += 1
    variance = (shares * np.square(weights)).sum() - (kappa - expected * (1 - kappa)) ** 2
    return 0.0 if variance < 1e-12 else sqrt(variance / total) / float(1 - expected)


def _checked(table: Table) -> Table:
    if any(len(row) != len(table) for row in table):
        sizes = ", ".join(str(len(row)) for row in table)
        raise ValueError(f"found {len(table)} rows of {sizes} counts; a square table is needed")
    if any(count < 0 for row in table for count in row):
        raise ValueError("found a negative count; counts must be 0 or more")
    return table

"""Values that come in clusters, as the sum and the size of each cluster."""

from collections.abc import Sequence

import numpy as np

from heta_framework.common.statistics.checks import Floats


def cluster_sums(values: Floats, clusters: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the sum and the size of each cluster, in the order of their names; the same for any order of the values.

    Raises ValueError for another number of names than of values.
    """
    if len(clusters) != len(values):
        raise ValueError(f"found {len(clusters)} cluster names for {len(values)} values; each value needs one")
    numbers = {name: number for number, name in enumerate(sorted(set(clusters)))}
    members = np.array([numbers[name] for name in clusters])
    order = np.lexsort((values, members))  # a sum of floats depends on the order of its terms
    sums: Floats = np.bincount(members[order], weights=values[order]).astype(np.float64)
    sizes: Floats = np.bincount(members).astype(np.float64)
    return sums, sizes

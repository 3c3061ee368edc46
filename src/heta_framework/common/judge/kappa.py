"""How far two raters agree beyond chance, from their labels."""

from collections import Counter
from collections.abc import Sequence


def cohens_kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    """`heta_framework.common.statistics.cohen_kappa` of two raters' labels for the same items, in the same order.

    None when both always give the same single label, because chance alone would then explain all agreement.

    Raises ValueError for no items, or another number of labels by one rater than by the other.
    """
    from heta_framework.common.statistics import cohen_kappa

    if not one or len(one) != len(other):
        raise ValueError(
            f"found {len(one)} and {len(other)} labels; both raters must label the same items, at least one"
        )
    pairs = Counter(zip(one, other, strict=True))
    labels = sorted({*one, *other})
    return cohen_kappa([[pairs[row, column] for column in labels] for row in labels])

"""How far two raters agree beyond chance."""

from collections import Counter
from collections.abc import Sequence


def cohens_kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Cohen's kappa of two raters' labels for the same items, in the same order; from -1 to 1.

    J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960):
    (observed - expected) / (1 - expected), where expected is the agreement of independent raters with these margins.
    None when both always give the same single label, because chance alone would then explain all agreement.

    Raises ValueError for no items, or another number of labels by one rater than by the other.
    """
    if not one or len(one) != len(other):
        raise ValueError(
            f"found {len(one)} and {len(other)} labels; both raters must label the same items, at least one"
        )
    total = len(one)
    observed = sum(a == b for a, b in zip(one, other, strict=True))
    counts, others = Counter(one), Counter(other)
    expected = sum(count * others[label] for label, count in counts.items())
    if expected == total * total:
        return None
    return (observed * total - expected) / (total * total - expected)

"""Several comparisons at once: p values that stay honest when the best of many is looked at."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p values adjusted for being that many, in their order; each at least as large as it was, at most 1.

    Calling those at or below 5 % significant calls any true null hypothesis false with a chance of at most 5 %, however
    the comparisons depend on each other (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
    Scandinavian Journal of Statistics 6, 1979).

    Raises ValueError for a p value outside [0, 1].
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if not 0 <= p_values[place] <= 1:
            raise ValueError(f"found the p value {p_values[place]}; it must lie in [0, 1]")
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted

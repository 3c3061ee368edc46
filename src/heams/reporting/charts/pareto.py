"""The Pareto front: points that no other point beats."""

from collections.abc import Sequence


def pareto_front(
    points: Sequence[tuple[float, float]], *, lower_is_better: tuple[bool, bool] = (False, False)
) -> list[int]:
    """The places of those points that no other dominates, in the order of ``points``.

    One point dominates another if it is at least as good in both coordinates and better in one; ``lower_is_better``
    says for each coordinate what good is. Equal points do not dominate each other. O(n log n).
    """
    signs = [-1.0 if lower else 1.0 for lower in lower_is_better]
    goods = [(signs[0] * x, signs[1] * y) for x, y in points]
    front: list[int] = []
    best_second = float("-inf")
    best_first = float("inf")
    for place in sorted(range(len(goods)), key=lambda place: goods[place], reverse=True):
        first, second = goods[place]
        if second > best_second:
            best_first, best_second = first, second
        elif (first, second) != (best_first, best_second):
            continue
        front.append(place)
    return sorted(front)

"""The Pareto front: exactly the points that no other dominates."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from heams.reporting.charts import pareto_front

_POINTS = st.lists(st.tuples(st.integers(-4, 4).map(float), st.integers(-4, 4).map(float)), max_size=12)


def _dominates(one: tuple[float, float], other: tuple[float, float], lower: tuple[bool, bool]) -> bool:
    gains = [(b - a) if low else (a - b) for a, b, low in zip(one, other, lower, strict=True)]
    return min(gains) >= 0 and max(gains) > 0


@settings(max_examples=80, deadline=None)
@given(_POINTS, st.tuples(st.booleans(), st.booleans()))
def test_the_front_is_what_no_other_point_dominates(
    points: list[tuple[float, float]], lower: tuple[bool, bool]
) -> None:
    expected = [
        place for place, point in enumerate(points) if not any(_dominates(other, point, lower) for other in points)
    ]
    assert pareto_front(points, lower_is_better=lower) == expected


def test_cheap_and_good_are_traded() -> None:
    cost_and_score = [(1.0, 0.2), (2.0, 0.5), (3.0, 0.4), (9.0, 0.6)]
    assert pareto_front(cost_and_score, lower_is_better=(True, False)) == [0, 1, 3]

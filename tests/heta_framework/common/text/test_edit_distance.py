"""Levenshtein's distance against NLTK's, and the nearest of several texts."""

from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance as slow_distance

from heta_framework.common.text.edit_distance import edit_distance, nearest_by_edits

_TEXTS = st.text(alphabet="abcé🦊", max_size=10)


@settings(max_examples=50)
@given(_TEXTS, _TEXTS)
def test_the_distance_is_that_of_the_table(one: str, other: str) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == slow_distance(one, other)


@settings(max_examples=50)
@given(_TEXTS, st.lists(_TEXTS, max_size=6))
def test_the_first_of_the_nearest_is_found(text: str, candidates: list[str]) -> None:
    distances = [slow_distance(text, candidate) for candidate in candidates]
    found = nearest_by_edits(text, candidates)
    assert found == ((distances.index(min(distances)), min(distances)) if candidates else None)

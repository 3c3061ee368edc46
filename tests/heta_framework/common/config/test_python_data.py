"""Configurations that were built in Python."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.config import ConfigError, mapping_document

_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(min_size=1), inner),
    max_leaves=20,
)


@settings(max_examples=40)
@given(st.dictionaries(st.text(min_size=1).filter(lambda key: key != "<<"), _PLAIN, min_size=1))
def test_plain_data_is_taken_as_it_is(data: dict[str, Any]) -> None:
    assert mapping_document(data, env={}).raw == data if "<<" not in str(data) and "${" not in str(data) else True


def test_tuples_and_other_mappings_are_lists_and_mappings() -> None:
    document = mapping_document(MappingProxyType({"a": (1, MappingProxyType({"b": "${X}"}))}), env={"X": "y"})
    assert document.data == {"a": [1, {"b": "y"}]}


def test_every_fault_is_told_with_its_field() -> None:
    itself: list[Any] = []
    itself.append(itself)
    data = {
        "a": [Path("x")],
        "b": {"c": {1}},
        "d": float("inf"),
        "e": "\udc00",
        "f": itself,
        "g": 10**5000,
        "h": {2: 1},
    }
    with pytest.raises(ConfigError) as caught:
        mapping_document(data)
    assert [problem.field for problem in caught.value.problems] == ["a.0", "b.c", "d", "e", "f.0", "g", "h"]


def test_endless_depth_is_told() -> None:
    data: dict[str, Any] = {"a": 1}
    for _ in range(5_000):
        data = {"a": data}
    with pytest.raises(ConfigError, match="nested deeper than 100 levels"):
        mapping_document(data)


@pytest.mark.parametrize("digits", [10**4299, -(10**4299)])
def test_the_longest_integers_are_taken(digits: int) -> None:
    assert mapping_document({"a": digits}).data == {"a": digits}

"""A JSON array of objects is found object by object, whatever stands in its strings and wherever a block ends."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_array import places, read_at

_texts = st.text(alphabet='ab"\\[]{},: \n\té', max_size=6)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)
_arrays = st.lists(st.dictionaries(_texts, _values, max_size=3), max_size=4)


def _read(path: Path, block: int) -> list[Any]:
    return [read_at(path, place) for place in places(path, block)]


@given(array=_arrays, block=st.integers(1, 60), indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_read_is_what_was_written(
    tmp_path: Path, array: list[Any], block: int, indent: int | None, ascii_only: bool
) -> None:
    path = tmp_path / "array.json"
    path.write_text(json.dumps(array, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    assert _read(path, block) == array


def test_places_are_numbered_and_a_byte_order_mark_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "array.json"
    path.write_bytes(b'\xef\xbb\xbf [ {"a": "]"} ,{}\n]\n')
    assert [tuple(place) for place in places(path)] == [(0, 6, 10), (1, 18, 2)]
    assert _read(path, 4) == [{"a": "]"}, {}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cut off"),
        ('[{"a": 1}', "cut off"),
        ('[{"a": "}]', "entry 0: .*cut off"),
        ("{}", "found '{}'; expected '\\['"),
        ("[{} {}]", "the end of entry 0: found '{}\\]'; expected ','"),
        ("[{},]", "entry 1: found '\\]'; expected an object"),
        ("[1]", "expected an object"),
        ("[{}] x", "behind the array: found 'x'"),
        ('[{"a": 1, "a": 2}]', "entry 0.*'a' twice"),
        ("[{a}]", "entry 0"),
    ],
)
def test_what_is_no_array_of_objects_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "array.json"
    path.write_text(text)
    with pytest.raises(DatasetFormatError, match=message):
        _read(path, 3)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match="cannot be read"):
        _read(tmp_path / "none.json", 8)


def test_nothing_is_read_behind_what_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "array.json"
    path.write_text('[{"a": 1}, {"b": 2}, this is no JSON')
    found = places(path, 4)
    assert [read_at(path, next(found)), read_at(path, next(found))] == [{"a": 1}, {"b": 2}]

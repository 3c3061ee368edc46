"""What is wrong with somebody's JSON is said in words, with the place."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


class _Entry(BaseModel):
    name: str
    count: int = 0


_ENTRIES = TypeAdapter(list[_Entry])


@given(_VALUES)
def test_json_is_read_whatever_it_holds(value: object) -> None:
    assert parse_json(json.dumps(value).encode(), "f") == value
    assert parse_json(b"\xef\xbb\xbf" + json.dumps(value, ensure_ascii=False).encode("utf-8"), "f") == value


@given(st.lists(st.dictionaries(st.text(), st.text()), min_size=1), st.data())
def test_data_that_was_cut_off_is_refused(value: object, data: st.DataObject) -> None:
    whole = json.dumps(value, ensure_ascii=data.draw(st.booleans())).encode()
    with pytest.raises(DatasetFormatError, match=r"cut off|found nothing|escape|not UTF-8"):
        parse_json(whole[: data.draw(st.integers(0, len(whole) - 1))], "f")


@given(st.binary())
def test_garbage_is_refused_in_words_or_is_json(garbage: bytes) -> None:
    with suppress(DatasetFormatError):
        value = parse_json(garbage, "f")
        assert value == json.loads(garbage.decode("utf-8-sig"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "found nothing"),
        (b'{"a": 1,}', "column 9: not valid JSON"),
        (b'[1,\n2,\n"x]', "line 3, column 1.*cut off"),
        (b"[NaN]", "found NaN, which is not JSON"),
        (b"[-Infinity]", "found -Infinity"),
        (b'["\\ud800"]', "half of a surrogate pair"),
        (b"[\xff]", "byte 2 is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"9" * 5_000, "digits"),
    ],
)
def test_faults_are_named(data: bytes, message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        parse_json(data, "file.json")


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert parse_json(b'"\\ud83d\\ude00"', "f") == "\N{GRINNING FACE}"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match=r"missing\.json: the file cannot be read: No such file"):
        read_bytes(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "f: must be a list|f: .*must be a list"),
        ([{"name": "a"}, {"name": 3}], "f: entry 1, name: found 3; must be text"),
        (
            [{"name": "a", "count": "x"}, {}],
            r'f: entry 0, count: found "x"; must be a whole number \(and 1 more in this',
        ),
    ],
)
def test_records_of_the_wrong_shape_are_named(data: object, message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        checked(_ENTRIES, data, "f")


def test_an_error_about_a_whole_book_is_short() -> None:
    error = DatasetFormatError("data.json", "entry 3", f"found {'x' * 100_000!r}; expected a date")
    assert len(str(error)) < 700
    assert str(error).startswith("data.json: entry 3: found 'xxx")
    assert str(error).endswith("expected a date")

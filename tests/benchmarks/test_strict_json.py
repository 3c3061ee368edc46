"""Data that JSON readers understand differently is refused: infinite numbers and keys that occur twice."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.benchmarks.jsonl_qa.line_index import LineIndex
from heams.benchmarks.jsonl_qa.rows import parse_row
from heams.benchmarks.locomo.dataset import load_conversations
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import parse_json
from heta_framework.common.data_files.strict_json import line_of_repeated_key

PLACE = "data.json"


@pytest.mark.parametrize("text", ["1e999", "-1e999", "[1.5, 9e400]", "NaN", "Infinity"])
def test_numbers_are_finite(text: str) -> None:
    with pytest.raises(DatasetFormatError, match="expected a finite number"):
        parse_json(text.encode(), PLACE)


def test_an_infinite_answer_is_refused_with_its_line(tmp_path: Path) -> None:
    data = tmp_path / "q.jsonl"
    data.write_text('{"id": "a", "question": "?", "answer": 1}\n{"id": "b", "question": "?", "answer": 1e999}\n')
    with pytest.raises(DatasetFormatError, match=r"q\.jsonl:2.*1e999"):
        LineIndex(data)


def test_a_repeated_key_is_refused_with_its_line(tmp_path: Path) -> None:
    data = tmp_path / "q.jsonl"
    data.write_text('{"id": "a", "question": "?", "answer": 1}\n{"id": "b", "question": "?", "answer": 1, "id": "c"}\n')
    with pytest.raises(DatasetFormatError, match=r"q\.jsonl:2.*the key 'id' twice in one object"):
        LineIndex(data)


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "b", "id" : "c", "question": "?", "answer": 1}',
        '{"id": "b", "question": "?", "answer": 1, "tags": {"x": "1", "x": "2"}}',
        '{"history": {"id": "h", "turns": [{"id": "t", "id": "u", "content": "x"}]}}',
    ],
)
def test_repeated_keys_are_found_at_any_depth_and_in_any_layout(tmp_path: Path, text: str) -> None:
    with pytest.raises(DatasetFormatError, match=r"q\.jsonl:7.*twice in one object"):
        parse_row(text.encode(), tmp_path / "q.jsonl", 7)


def test_text_that_looks_like_keys_is_text(tmp_path: Path) -> None:
    row = {"id": "b", "question": 'Is {"id": 1, "id" : 2} fine?', "answer": 'yes":', "tags": {"a": "b"}}
    parsed = parse_row(json.dumps(row).encode(), tmp_path / "q.jsonl", 1)
    assert parsed.model_dump(include=set(row)) == row


def test_the_object_with_a_repeated_key_is_found_in_a_long_file(tmp_path: Path) -> None:
    data = tmp_path / "l.json"
    data.write_text('[\n  {"a": {"x": 1}},\n  {\n    "b": [\n      {"y": 1, "z": {},\n       "y": 2}]}\n]\n')
    with pytest.raises(DatasetFormatError, match=r"l\.json.*object in line 5.*the key 'y' twice"):
        load_conversations(data)


def test_one_key_in_two_objects_is_no_repetition() -> None:
    text = '[{"a": {"a": 1}},\n {"a": 2}]'
    assert parse_json(text.encode(), PLACE) == json.loads(text)
    assert line_of_repeated_key(text) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_JSON)
def test_everything_else_is_read_as_json_reads_it(value: object) -> None:
    text = json.dumps(value, indent=1)
    assert parse_json(text.encode(), PLACE) == value
    assert line_of_repeated_key(text) is None

"""A file of your own that is not in the format: the message names file, line and field, and what would be right."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.jsonl_qa.line_index import LineIndex
from heta_framework.common.data_files.errors import DatasetFormatError

_TALK = {"history": {"id": "talk", "turns": [{"id": "t1", "content": "Hello"}, {"id": "t2", "content": "Hi"}]}}
_GOOD = {"id": "q1", "question": "Why?", "answer": "so"}


def _talk(**turn: Any) -> dict[str, Any]:
    return {"history": {"id": "talk", "turns": [{"id": "t1", "content": "Hello"} | turn]}}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", r"column 2: not valid JSON: .*cut off"),
        ('{"id": "q2", "question": "x", "answer": NaN}', "found NaN"),
        ("7", "found 7; must be a mapping"),
        ("[]", "must be a mapping; allowed: id, question, answer, history, evidence, tags, at"),
        ({"id": "q2", "question": "Why?"}, "answer: not given; this field is required"),
        (_GOOD | {"id": ""}, 'id: found ""; .*at least 1 character'),
        (_GOOD | {"id": 7}, "id: found 7; must be text"),
        (_GOOD | {"id": "q2", "answer": True}, "answer: found true; must be text"),
        (_GOOD | {"id": "q2", "answer": []}, "answer: "),
        (_GOOD | {"id": "q2", "answer": {"a": 1}}, "answer: "),
        (_GOOD | {"id": "q2", "anwser": "x"}, r"anwser: this field is not known; .*did you mean 'answer'\?"),
        (_GOOD | {"id": "q2", "tags": {"category": 7}}, "tags, category: found 7; must be text"),
        (_GOOD | {"id": "q2", "at": "yesterday"}, "at: .*datetime"),
        (_GOOD | {"id": "q2", "evidence": ["t1"]}, "evidence: found turn ids; expected none, because .* no history"),
        (_GOOD | {"id": "q2", "history": "tlak"}, r"history: found 'tlak', which is no history; did you mean 'talk'\?"),
        (_GOOD | {"id": "q2", "history": "zz"}, "history: found 'zz', which is no history; there is: talk"),
        (_GOOD | {"id": "q2", "history": "talk", "evidence": ["t11"]}, r"evidence: found 't11', which is no turn of "),
        (_GOOD, r"id: found the question id 'q1' again \(first in line 2\); expected unique ids"),
        (_TALK, r"history, id: found the history 'talk' again \(first in line 1\)"),
        ({"history": {"id": "other", "turns": []}}, "history, turns: "),
        ({"history": {"id": "other"}, "id": "q2"}, "history, turns: not given"),
        ({"history": {"id": "h", "turns": [{"id": "a", "content": "x"}] * 2}}, "the turn id 'a' 2 times"),
        (_talk(role="human"), r"history, turns 0, role: found \"human\"; allowed: user, assistant, system, tool"),
        (_talk(text="Hello"), "history, turns 0, text: this field is not known"),
    ],
)
def test_a_row_that_is_wrong_is_named(row: Any, message: str, write_lines: Callable[[Any], Path]) -> None:
    path = write_lines([_TALK, _GOOD, row, {"id": "q9", "question": "fine", "answer": 1}])
    with pytest.raises(DatasetFormatError, match=f"^{re.escape(str(path))}:3: .*{message}"):
        LineIndex(path)


def test_a_history_may_follow_its_questions(write_lines: Callable[[Any], Path]) -> None:
    assert len(LineIndex(write_lines([_GOOD | {"history": "talk", "evidence": ["t2"]}, _TALK]))) == 1


def test_rows_past_the_limit_are_checked_too(write_lines: Callable[[Any], Path]) -> None:
    with pytest.raises(DatasetFormatError, match=":2: id: found the question id"):
        LineIndex(write_lines([_GOOD, _GOOD]), limit=1)


@pytest.mark.parametrize("rows", [[], ["", "  "], [_TALK]])
def test_a_file_without_questions_is_refused(rows: list[Any], write_lines: Callable[[Any], Path]) -> None:
    with pytest.raises(DatasetFormatError, match="found no question; expected at least one line with a question"):
        LineIndex(write_lines(rows))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match=r"no\.jsonl: the file cannot be read: No such file"):
        LineIndex(tmp_path / "no.jsonl")
    with pytest.raises(DatasetFormatError, match="the file cannot be read: Is a directory"):
        LineIndex(tmp_path)


def test_a_file_that_changes_while_it_is_in_use_is_noticed(write_lines: Callable[[Any], Path]) -> None:
    path = write_lines([_TALK, _GOOD | {"history": "talk"}])
    index = LineIndex(path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(reversed(lines)), "utf-8")
    with pytest.raises(DatasetFormatError):
        index.question(0)
    path.write_text(lines[0] * 2, "utf-8")
    with pytest.raises(DatasetFormatError, match="the file was changed while it was in use"):
        index.question(0)

"""The two kinds of rows of a ``jsonl_qa`` file, one JSON object a line.

A history: ``{"history": {"id": "ada", "turns": [{"id": "t1", "content": "...", "speaker": "Ada"}]}}``.
A question: ``{"id": "q1", "question": "...", "answer": "...", "history": "ada", "evidence": ["t1"]}``.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    StrictStr,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from heams.scenarios.actions import DEFAULT_PRINCIPAL, Role
from heams.scenarios.clock import Instant
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json

Name = Annotated[str, StringConstraints(min_length=1)]
Answer = StrictStr | StrictInt | StrictFloat


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, cache_strings="keys")


class TurnRow(_Row):
    """One utterance. A turn begins a session when it names another ``session_id`` than the turns before."""

    id: Name
    content: str
    speaker: Name = DEFAULT_PRINCIPAL
    role: Role = "user"
    at: Instant | None = None
    session_id: Name | None = None


class HistoryRow(_Row):
    """A conversation, referred to by the ``id``."""

    id: Name
    turns: tuple[TurnRow, ...] = Field(min_length=1)


class QuestionRow(_Row):
    """A question. Several answers count as alternatives; an answer of null leaves the question unscored.

    ``evidence`` are ids of turns of its history. ``at`` is when it is asked (default: when the history ends).
    """

    id: Name
    question: Name
    answer: Answer | Annotated[tuple[Answer, ...], Field(min_length=1)] | None
    history: Name | None = None
    evidence: tuple[Name, ...] = ()
    tags: Mapping[str, str] = Field(default_factory=dict)
    at: Instant | None = None


class _HistoryLine(_Row):
    history: HistoryRow


_HISTORY = TypeAdapter(_HistoryLine)
_QUESTION = TypeAdapter(QuestionRow)


def parse_row(line: bytes, path: Path, number: int) -> HistoryRow | QuestionRow:
    """The row in a line that is not blank. ``number`` counts lines from 1.

    Raises:
        DatasetFormatError: the line is not such a row.
    """
    try:
        question = _QUESTION.validate_json(line)
        if (question.history is not None or not question.evidence) and _has_each_key_once(line, question):
            return question
    except ValidationError:  # a history, or a mistake, which is found again to be named
        pass
    return _checked_row(line, f"{path}:{number}")


def _has_each_key_once(line: bytes, question: QuestionRow) -> bool:
    """False also where that cannot be told at a glance: then the slower reading decides."""
    keys = len(question.model_fields_set) + len(question.tags)
    return line.count(b'":') == keys and b'" :' not in line


def _checked_row(line: bytes, file: str) -> HistoryRow | QuestionRow:
    data = parse_json(line, file)
    if isinstance(data, dict) and isinstance(data.get("history"), dict):
        history = checked(_HISTORY, data, file).history
        _refuse_repeated_turns(history, file)
        return history
    question = checked(_QUESTION, data, file)
    if question.evidence and question.history is None:
        raise DatasetFormatError(file, "evidence", "found turn ids; expected none, because the question has no history")
    return question


def _refuse_repeated_turns(history: HistoryRow, file: str) -> None:
    for turn_id, times in Counter(turn.id for turn in history.turns).items():
        if times > 1:
            place = f"history {history.id!r}, turns"
            raise DatasetFormatError(file, place, f"found the turn id {turn_id!r} {times} times; expected unique ids")

"""LongMemEval's files: every question is checked once, one at a time, and read again when it is played."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from heams.benchmarks.longmemeval import defects
from heams.benchmarks.longmemeval.dates import parse_date
from heams.benchmarks.longmemeval.question_types import QuestionType, is_unanswerable
from heams.benchmarks.longmemeval.records import QuestionRecord, TurnRecord
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_array import Place, places, read_at
from heta_framework.common.data_files.reading import checked

_RECORD = TypeAdapter(QuestionRecord)


class Session(NamedTuple):
    """A session that was not empty. ``number`` is its place in the lists of the file, from 0, and its neutral name.

    The published id tells whether it holds the answer; ``is_evidence`` says so, and ``published_id`` leads back.
    """

    number: int
    published_id: str
    at: datetime | None
    turns: Sequence[tuple[int, TurnRecord]]
    is_evidence: bool


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its haystack, mended. ``gold`` is None where there is no label."""

    id: str
    type: QuestionType
    text: str
    gold: str | None
    at: datetime | None
    sessions: Sequence[Session]
    notes: Sequence[SkipReason]


@dataclass(frozen=True, slots=True)
class QuestionPlace:
    """Where a question stands, and its published id."""

    place: Place
    id: str


class Found(NamedTuple):
    """The questions that were chosen, and what is to be said about them and about those that were left out."""

    questions: Sequence[QuestionPlace]
    notes: Sequence[SkipReason]


def find_questions(
    path: Path, types: Sequence[QuestionType], limit: int | None, *, skip_reported: bool = False
) -> Found:
    """The first ``limit`` questions of the chosen types (all where it is None), each checked; no more is read.

    Raises:
        DatasetFormatError: the file is not in LongMemEval's format, two questions have one id, or none is chosen.
    """
    questions: list[QuestionPlace] = []
    notes: list[SkipReason] = []
    seen: dict[str, Place] = {}
    for place in places(path):
        question = read_question(path, place)
        if question.id in seen:
            message = f"found the question_id {question.id!r} again; it stands in {seen[question.id].words} too"
            raise DatasetFormatError(path, place.words, message)
        seen[question.id] = place
        if question.type not in types:
            continue
        if skip_reported and question.id in defects.REPORTED:
            notes.append(SkipReason(record_id=question.id, rule=defects.REPORTED_ERROR, detail="left out"))
            continue
        questions.append(QuestionPlace(place, question.id))
        notes += question.notes
        if len(questions) == limit:
            break
    if not questions:
        raise DatasetFormatError(path, "", f"found no questions of the types {', '.join(types)}")
    return Found(questions, notes)


def read_question(path: Path, place: Place) -> Question:
    """The question at a place, with its defects mended by the rules of ``defects``.

    Raises:
        DatasetFormatError: it is not in LongMemEval's format.
    """
    record = checked(_RECORD, read_at(path, place), path, place.words)
    notes: list[SkipReason] = []
    sessions = _in_order(list(_sessions(record, notes)), record, notes)
    if not is_unanswerable(record.question_id):
        _note_lost_evidence(record, sessions, notes)
    gold = str(record.answer).strip() if record.answer is not None else ""
    if not gold:
        notes.append(_note(record, defects.MISSING_GOLD, "", "dropped_label"))
    return Question(
        id=record.question_id,
        type=record.question_type,
        text=record.question,
        gold=gold or None,
        at=_moment(record.question_date, record, "question_date", notes) or (sessions[-1].at if sessions else None),
        sessions=sessions,
        notes=notes,
    )


def _sessions(record: QuestionRecord, notes: list[SkipReason]) -> Iterator[Session]:
    last: datetime | None = None
    evidence = frozenset(record.answer_session_ids)
    for number, (session_id, date, turns) in enumerate(
        zip(record.session_ids, record.dates, record.sessions, strict=True)
    ):
        last = _moment(date, record, f"session {number}", notes) or last
        told = [(place, turn) for place, turn in enumerate(turns) if turn.content.strip()]
        if len(told) < len(turns):
            notes.append(_note(record, defects.EMPTY_TURN, f"session {number}: {len(turns) - len(told)} left out"))
        if told:
            yield Session(number, session_id, last, told, session_id in evidence)
        else:
            notes.append(_note(record, defects.EMPTY_SESSION, f"session {number}"))


def _in_order(sessions: list[Session], record: QuestionRecord, notes: list[SkipReason]) -> list[Session]:
    """The sessions by their time; those without one stay in front, where they stood."""
    ordered = sorted(sessions, key=lambda session: session.at.timestamp() if session.at else float("-inf"))
    if ordered != sessions:
        notes.append(_note(record, defects.UNSORTED_SESSIONS, "heard in the order of their dates"))
    return ordered


def _note_lost_evidence(record: QuestionRecord, sessions: Sequence[Session], notes: list[SkipReason]) -> None:
    found = {session.published_id for session in sessions}
    notes.extend(
        _note(record, defects.UNRESOLVED_EVIDENCE, f"no session {session_id!r}", "dropped_label")
        for session_id in record.answer_session_ids
        if session_id not in found
    )
    marked = (turn.has_answer for session in sessions if session.is_evidence for _, turn in session.turns)
    if not any(marked):
        notes.append(_note(record, defects.NO_EVIDENCE_TURN, "no turn is marked as evidence", "dropped_label"))


def _moment(text: str, record: QuestionRecord, where: str, notes: list[SkipReason]) -> datetime | None:
    try:
        return parse_date(text)
    except ValueError as cause:
        notes.append(_note(record, defects.UNREADABLE_DATE, f"{where}: {cause}"))
        return None


def _note(record: QuestionRecord, rule: str, detail: str, kind: Any = "repaired") -> SkipReason:
    return SkipReason(record_id=record.question_id, rule=rule, detail=detail, kind=kind)

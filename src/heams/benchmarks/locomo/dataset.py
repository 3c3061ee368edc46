"""Reads a data file in LoCoMo's format; the known defects are mended and noted by name.

What makes a record unusable is an error that names file, place and field. No question is ever left out.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict, StrictFloat, StrictInt, StrictStr, TypeAdapter

from heams.benchmarks.locomo import defects
from heams.benchmarks.locomo.categories import ADVERSARIAL, CategoryId
from heams.benchmarks.locomo.evidence import canonical_turn_id, read_evidence
from heams.benchmarks.locomo.records import Conversation, DialogueTurn, Question, Session
from heams.benchmarks.locomo.session_date import parse_session_date
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes

Answer = StrictStr | StrictInt | StrictFloat

_SESSION = re.compile(r"session_([1-9][0-9]{0,8})")
_DATE_KEY = re.compile(r"session_([1-9][0-9]{0,8})_date_time")


class _Raw(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)  # summaries, observations and image links are not needed


class _RawTurn(_Raw):
    speaker: str
    dia_id: str
    text: str
    blip_caption: str | None = None


class _RawQuestion(_Raw):
    question: str
    category: CategoryId
    evidence: list[str]
    answer: Answer | None = None
    adversarial_answer: Answer | None = None


class _RawConversation(_Raw):
    sample_id: str
    conversation: dict[str, Any]
    qa: list[_RawQuestion]


_CONVERSATION = TypeAdapter(_RawConversation)
_TURNS = TypeAdapter(list[_RawTurn])
_DATE = TypeAdapter(str)


def load_conversations(path: Path) -> tuple[Conversation, ...]:
    """All conversations of a data file, in its order.

    Raises:
        DatasetFormatError: the file is cut off, or a record cannot be used.
    """
    entries = parse_json(read_bytes(path), path)
    if not isinstance(entries, list) or not entries:
        found = "an empty list" if entries == [] else f"a {type(entries).__name__}"
        raise DatasetFormatError(path, "", f"found {found}; expected a list of conversations")
    conversations = tuple(_Reader(path, entry, position).read() for position, entry in enumerate(entries))
    for sample_id, times in Counter(conversation.id for conversation in conversations).items():
        if times > 1:
            raise DatasetFormatError(
                path, sample_id, f"found sample_id {sample_id!r} {times} times; expected unique ids"
            )
    return conversations


class _Reader:
    """Reads one conversation."""

    def __init__(self, path: Path, entry: Any, position: int) -> None:
        sample_id = entry.get("sample_id") if isinstance(entry, dict) else None
        self._path = path
        self._place = sample_id if isinstance(sample_id, str) and sample_id else f"entry {position}"
        self._raw = checked(_CONVERSATION, entry, path, self._place)
        if not self._raw.sample_id:
            self._refuse("sample_id", "found an empty text; expected a name such as 'conv-26'")

    def read(self) -> Conversation:
        sessions = tuple(self._sessions())
        if not sessions:
            self._refuse("conversation", "found no session with turns; expected at least 'session_1'")
        known = self._unique_turn_ids(sessions)
        questions = tuple(self._question(index, raw, known) for index, raw in enumerate(self._raw.qa))
        return Conversation(self._raw.sample_id, sessions, questions, tuple(self._date_notes()))

    def _sessions(self) -> Iterator[Session]:
        for number in self._numbers(_SESSION):
            name = f"session_{number}"
            turns = checked(_TURNS, self._raw.conversation[name], self._path, f"{self._place}, {name}")
            if turns:
                yield Session(name, self._date(name), tuple(self._turn(name, raw) for raw in turns))

    def _date(self, session: str) -> datetime:
        field = f"{session}_date_time"
        if field not in self._raw.conversation:
            self._refuse(field, "not given; every session needs its date")
        written = checked(_DATE, self._raw.conversation[field], self._path, f"{self._place}, {field}")
        try:
            return parse_session_date(written)
        except ValueError as cause:
            self._refuse(field, str(cause))

    def _turn(self, session: str, raw: _RawTurn) -> DialogueTurn:
        turn_id = canonical_turn_id(raw.dia_id)
        if turn_id is None:
            self._refuse(f"{session}, dia_id", f"found {raw.dia_id!r}; expected 'D<session>:<turn>' such as 'D1:3'")
        caption = (raw.blip_caption or "").strip()
        return DialogueTurn(turn_id, raw.speaker, raw.text, caption or None)

    def _unique_turn_ids(self, sessions: tuple[Session, ...]) -> frozenset[str]:
        counts = Counter(turn.id for session in sessions for turn in session.turns)
        for turn_id, times in counts.items():
            if times > 1:
                self._refuse("dia_id", f"found {turn_id!r} {times} times; expected unique ids")
        return frozenset(counts)

    def _date_notes(self) -> Iterator[SkipReason]:
        talked = {number for number in self._numbers(_SESSION) if self._raw.conversation[f"session_{number}"]}
        for number in self._numbers(_DATE_KEY):
            if number not in talked:
                detail = f"session_{number} has a date but no turns; it is no session"
                yield defects.note(self._raw.sample_id, defects.DATE_WITHOUT_TURNS, detail)

    def _numbers(self, key: re.Pattern[str]) -> list[int]:
        return sorted(int(match[1]) for match in map(key.fullmatch, self._raw.conversation) if match)

    def _question(self, index: int, raw: _RawQuestion, known: frozenset[str]) -> Question:
        question_id = f"{self._raw.sample_id}#{index}"
        adversarial = raw.category == ADVERSARIAL
        if raw.answer is None and not adversarial:
            self._refuse(f"qa {index}, answer", "not given; every question of categories 1 to 4 needs its answer")
        reading = read_evidence(raw.evidence, known)
        findings = [*reading.findings, *_answer_findings(raw)]
        return Question(
            id=question_id,
            text=raw.question,
            category=raw.category,
            answer=None if adversarial else str(raw.answer),
            trap=str(raw.adversarial_answer) if adversarial and raw.adversarial_answer is not None else None,
            evidence=reading.ids,
            evidence_note=reading.losses(defects.LOST_EVIDENCE),
            notes=tuple(defects.note(question_id, rule, detail) for rule, detail in findings),
        )

    def _refuse(self, field: str, message: str) -> NoReturn:
        raise DatasetFormatError(self._path, f"{self._place}, {field}", message)


def _answer_findings(raw: _RawQuestion) -> Iterator[tuple[str, str]]:
    if raw.category == ADVERSARIAL:
        if raw.adversarial_answer is None:
            yield defects.MISSING_TRAP, "no adversarial_answer; the question can only be asked openly"
        if raw.answer is not None:
            yield defects.ANSWER_OF_ADVERSARIAL, f"answer {raw.answer!r} is not used; category 5 has no right answer"
    elif not isinstance(raw.answer, str):
        yield defects.NUMBER_AS_ANSWER, f"answer {raw.answer!r} is read as text"

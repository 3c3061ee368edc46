"""Reads the questions about one chat; the known defects are mended, or cost a label, and are noted by name."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr, TypeAdapter

from heams.benchmarks.beam import defects
from heams.benchmarks.beam.abilities import ABILITIES, ABSTENTION, EVENT_ORDERING, TEMPORAL_REASONING, AbilityName
from heams.benchmarks.beam.evidence import KnownMessages, read_evidence
from heams.benchmarks.beam.records import Question
from heams.benchmarks.evidence_labels import EvidenceReading, Finding
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes

_NO_EVIDENCE = EvidenceReading((), ())
_DURATION = re.compile(r"(?<![\w.])(\d+)[\s-]+(second|minute|hour|day|week|month|year)s?\b", re.IGNORECASE)


class _RawQuestion(BaseModel):
    """What a question's record is read for. Everything else in it explains the answer, and is not read at all."""

    model_config = ConfigDict(extra="allow", frozen=True)  # each ability has its own gold field

    question: Annotated[str, Field(min_length=1)]
    rubric: list[StrictStr] = Field(default_factory=list)
    difficulty: str = "unknown"
    source_chat_ids: Any = None
    total_mentions: Any = None


_QUESTIONS = TypeAdapter(dict[AbilityName, list[_RawQuestion]])
_GOLD = TypeAdapter(StrictStr | StrictInt | StrictFloat | None)


class QuestionsRead(NamedTuple):
    """The questions that can be asked, in the order of the file, and notes on those that cannot."""

    questions: tuple[Question, ...]
    notes: tuple[SkipReason, ...]


def read_questions(path: Path, chat: str, known: KnownMessages) -> QuestionsRead:
    """The questions of a file about the chat of this name.

    Raises:
        DatasetFormatError: the file is cut off, an ability is unknown, or a record cannot be used.
    """
    questions, notes = [], []
    records = list(_raw_questions(path))
    if not records:
        notes.append(defects.note(chat, defects.MISSING_QUESTIONS, "its file of questions holds none"))
    for number, (ability, raw) in enumerate(records, start=1):
        name = f"{chat}-q{number:02d}"
        rubric = tuple(item for item in raw.rubric if item.strip())
        if rubric:
            gold = checked(_GOLD, (raw.model_extra or {}).get(ABILITIES[ability].gold_field), path, f"{ability}, gold")
            questions.append(_question(name, ability, raw, rubric, None if gold is None else str(gold).strip(), known))
        else:
            notes.append(defects.note(name, defects.EMPTY_RUBRIC, "without a rubric there is nothing to score it by"))
    return QuestionsRead(tuple(questions), tuple(notes))


def _raw_questions(path: Path) -> Iterator[tuple[AbilityName, _RawQuestion]]:
    found = checked(_QUESTIONS, parse_json(read_bytes(path), path), path)
    return ((ability, raw) for ability, questions in found.items() for raw in questions)


def _question(
    name: str, ability: AbilityName, raw: _RawQuestion, rubric: tuple[str, ...], gold: str | None, known: KnownMessages
) -> Question:
    unanswerable = ability == ABSTENTION and raw.source_chat_ids is None
    evidence = _NO_EVIDENCE if unanswerable else read_evidence(raw.source_chat_ids, known)
    against = _gold_against_rubric(ability, gold, rubric)
    findings = [*evidence.findings, *against, *_other_findings(ability, raw, rubric, gold)]
    return Question(
        id=name,
        ability=ability,
        text=raw.question,
        gold=None if against else gold or None,
        rubric=rubric,
        difficulty=raw.difficulty,
        evidence=evidence.ids,
        evidence_note="the question has no answer in the chat"
        if unanswerable
        else evidence.losses(defects.LOST_EVIDENCE),
        notes=tuple(defects.note(name, rule, detail) for rule, detail in findings),
    )


def _gold_against_rubric(ability: AbilityName, gold: str | None, rubric: tuple[str, ...]) -> list[Finding]:
    """A duration that the gold answer gives, where the rubric asks for another one in the same unit."""
    if ability != TEMPORAL_REASONING or gold is None:
        return []
    wanted = {unit: number for item in rubric for number, unit in _durations(item)}
    for number, unit in _durations(gold):
        if wanted.get(unit, number) != number:
            detail = f"the answer says {number} {unit}s, its rubric {wanted[unit]} {unit}s: the rubric counts"
            return [Finding(defects.GOLD_AGAINST_RUBRIC, detail)]
    return []


def _durations(text: str) -> list[tuple[int, str]]:
    return [(int(number), unit.lower()) for number, unit in _DURATION.findall(text)]


def _other_findings(
    ability: AbilityName, raw: _RawQuestion, rubric: tuple[str, ...], gold: str | None
) -> Iterator[Finding]:
    if len(rubric) < len(raw.rubric):
        yield Finding(defects.BLANK_ITEM, f"{len(raw.rubric) - len(rubric)} of {len(raw.rubric)} items are blank")
    if not gold:
        yield Finding(defects.MISSING_GOLD, f"no field {ABILITIES[ability].gold_field!r}; the rubric counts")
    if ability == EVENT_ORDERING and raw.total_mentions not in (None, len(rubric)):
        detail = f"total_mentions is {raw.total_mentions}, the rubric has {len(rubric)} events: the rubric counts"
        yield Finding(defects.EVENT_COUNT_MISMATCH, detail)

"""STALE's file: every scenario is checked once, one at a time, and read again when its questions are played."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from heams.benchmarks.skip import SkipReason
from heams.benchmarks.stale import defects
from heams.benchmarks.stale.probes import PROBES, Probe, ScenarioType
from heams.benchmarks.stale.records import ScenarioRecord, TurnRecord
from heams.evaluation.stale_rules import ProbePhrases
from heams.scenarios.clock import Instant, assume_utc
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_array import Place, places, read_at
from heta_framework.common.data_files.reading import checked

_RECORD = TypeAdapter(ScenarioRecord)


class Session(NamedTuple):
    """A session that was not empty; ``number`` is its place in the file, from 0."""

    number: int
    at: Instant | None
    turns: Sequence[tuple[int, TurnRecord]]


@dataclass(frozen=True, slots=True)
class Question:
    """One probe of a scenario. ``phrases`` are there in data of ours only."""

    probe: Probe
    text: str
    phrases: ProbePhrases | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario, mended. ``evidence``: the sessions of the old and of the new state, where the label is usable."""

    uid: str
    type: ScenarioType
    old: str
    new: str
    explanation: str
    sessions: Sequence[Session]
    questions: Sequence[Question]
    evidence: tuple[int, int] | None
    notes: Sequence[SkipReason]


@dataclass(frozen=True, slots=True)
class ScenarioPlace:
    """Where a scenario stands, and what must be known of it before it is played."""

    place: Place
    uid: str
    probes: Sequence[Probe]
    notes: Sequence[SkipReason]


def find_scenarios(path: Path, types: Sequence[ScenarioType], limit: int | None) -> list[ScenarioPlace]:
    """The scenarios of the chosen types that hold the first ``limit`` questions (all where it is None), each checked.

    What is behind them is not read.

    Raises:
        DatasetFormatError: the file is not in STALE's format, two scenarios have one uid, or none is of these types.
    """
    found: list[ScenarioPlace] = []
    seen: dict[str, Place] = {}
    for place in places(path):
        scenario = read_scenario(path, place)
        if scenario.uid in seen:
            message = f"found the uid {scenario.uid!r} again; it stands in {seen[scenario.uid].words} too"
            raise DatasetFormatError(path, place.words, message)
        seen[scenario.uid] = place
        if scenario.type in types:
            probes = [question.probe for question in scenario.questions]
            found.append(ScenarioPlace(place, scenario.uid, probes, scenario.notes))
        if limit is not None and sum(len(one.probes) for one in found) >= limit:
            break
    if not found:
        raise DatasetFormatError(path, "", f"found no scenarios of the types {', '.join(types)}")
    return found


def read_scenario(path: Path, place: Place) -> Scenario:
    """The scenario at a place, with its defects mended by the rules of ``defects``.

    Raises:
        DatasetFormatError: it is not in STALE's format.
    """
    record = checked(_RECORD, read_at(path, place), path, place.words)
    notes: list[SkipReason] = []
    evidence = _evidence(record, notes)
    return Scenario(
        uid=record.uid,
        type=record.type,
        old=record.old,
        new=record.new,
        explanation=record.explanation,
        sessions=_sessions(record, notes),
        questions=_questions(record, notes),
        evidence=evidence,
        notes=notes,
    )


def _sessions(record: ScenarioRecord, notes: list[SkipReason]) -> list[Session]:
    found = []
    for number, (turns, at) in enumerate(zip(record.sessions, _times(record, notes), strict=True)):
        told = [(place, turn) for place, turn in enumerate(turns) if turn.content.strip()]
        if len(told) < len(turns):
            notes.append(_note(record, defects.EMPTY_TURN, f"session {number}: {len(turns) - len(told)} left out"))
        if told:
            found.append(Session(number, at, told))
        else:
            notes.append(_note(record, defects.EMPTY_SESSION, f"session {number}"))
    return found


def _times(record: ScenarioRecord, notes: list[SkipReason]) -> Iterator[Instant | None]:
    """A time per session; where there is none to use, that of the session before."""
    last: Instant | None = None
    for number in range(len(record.sessions)):
        written = record.timestamps[number] if number < len(record.timestamps) else None
        at = _moment(written)
        if written is None:
            notes.append(_note(record, defects.MISSING_TIMESTAMP, f"session {number}"))
        elif at is None:
            notes.append(_note(record, defects.UNREADABLE_TIMESTAMP, f"session {number}: {written!r}"))
        elif last is not None and at < last:
            notes.append(_note(record, defects.TIMESTAMP_OUT_OF_ORDER, f"session {number}: {written!r}"))
        else:
            last = at
        yield last


def _moment(written: Any) -> Instant | None:
    try:
        return assume_utc(datetime.fromisoformat(written))
    except (TypeError, ValueError):
        return None


def _questions(record: ScenarioRecord, notes: list[SkipReason]) -> list[Question]:
    found = []
    for probe in PROBES:
        text = (getattr(record.queries, f"{probe}_query") or "").strip()
        if text:
            found.append(Question(probe, text, record.phrases.get(probe)))
        else:
            notes.append(_note(record, defects.MISSING_QUERY, probe, "skipped"))
    return found


def _evidence(record: ScenarioRecord, notes: list[SkipReason]) -> tuple[int, int] | None:
    match record.relevant_session_index:
        case [int() as old, int() as new] if _are_sessions((old, new), record):
            return old, new
    found = f"relevant_session_index is {record.relevant_session_index!r}, with {len(record.sessions)} sessions"
    notes.append(_note(record, defects.UNRESOLVED_EVIDENCE, found, "dropped_label"))
    return None


def _are_sessions(numbers: Iterable[int], record: ScenarioRecord) -> bool:
    return all(0 <= number < len(record.sessions) for number in numbers)


def _note(record: ScenarioRecord, rule: str, detail: str, kind: Any = "repaired") -> SkipReason:
    return SkipReason(record_id=record.uid, rule=rule, detail=detail, kind=kind)

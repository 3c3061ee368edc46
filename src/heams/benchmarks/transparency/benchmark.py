"""Cases as samples: the sessions and deletions in order of time, then the probes, each followed by an inspection."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from heams.benchmarks.case_benchmark import CaseBenchmark
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.transparency.config import TransparencyBenchmarkConfig
from heams.benchmarks.transparency.records import (
    CaseRecord,
    MutationRecord,
    PlantedRecord,
    ProbeRecord,
    SessionRecord,
)
from heams.evaluation.markers import DISCLOSURE
from heams.scenarios.actions import (
    Action,
    ClockAdvance,
    ForgetRequest,
    MemoryInspection,
    SessionBoundary,
    Turn,
    UserStimulus,
)
from heta_framework.common.text.anchors import held
from heta_framework.common.text.prompt_template import fill

_PROBING = "questions"


class TransparencyBenchmark(CaseBenchmark[CaseRecord]):
    """One sample per case, with all of its probes.

    Raises:
        DatasetFormatError: the file is not in the format.
    """

    def __init__(self, config: TransparencyBenchmarkConfig) -> None:
        super().__init__(config.data_file, CaseRecord, lambda case: case.id, config.limit)
        self.config = config

    def _sample(self, case: CaseRecord) -> BenchmarkSample:
        probes = (action for probe in case.probes for action in self._asked(case, probe))
        return BenchmarkSample(
            id=case.id,
            name=case.probes[0].query,
            execution_sequence=[*_course(case), SessionBoundary(session_id=_PROBING), *probes, _final(case)],
            evaluators=self.config.evaluators,
            tags={"domain": case.domain},
        )

    def _asked(self, case: CaseRecord, probe: ProbeRecord) -> Iterator[Action]:
        if probe.ask is not None:
            yield self._stimulus(probe.ask)
        yield self._stimulus(probe.query, _markers(case, probe))
        yield MemoryInspection(label=probe.probe_id)

    def _stimulus(self, question: str, markers: Mapping[str, JsonValue] | None = None) -> UserStimulus:
        content = fill(self.config.question_prompt, question=question)
        return UserStimulus(content=content, recall_query=question, step_evaluation_markers=markers or {})


def _course(case: CaseRecord) -> Iterator[Action]:
    moments: list[tuple[Any, int, SessionRecord | MutationRecord]] = [
        *((session.date, 0, session) for session in case.sessions),
        *((mutation.at, 1, mutation) for mutation in case.mutations),
    ]
    for at, _, moment in sorted(moments, key=lambda one: one[:2]):
        if isinstance(moment, SessionRecord):
            yield SessionBoundary(session_id=moment.session_id, at=at)
            yield from _turns(moment)
        else:
            yield ClockAdvance(to=at)
            yield _deleted(case, moment)


def _turns(session: SessionRecord) -> Iterator[Turn]:
    for number, turn in enumerate(session.turns):
        yield Turn(
            id=_turn_id(session, number),
            content=turn.content,
            speaker=turn.role,
            role=turn.role,
            at=session.date,
            session_id=session.session_id,
        )


def _deleted(case: CaseRecord, mutation: MutationRecord) -> ForgetRequest:
    fact = next(fact for fact in case.planted if fact.fact_id == mutation.fact_id)
    return ForgetRequest(content=f'Please forget this: "{fact.text}"', event_ids=_events_of(case, fact))


def _events_of(case: CaseRecord, fact: PlantedRecord) -> tuple[str, ...]:
    """The turns of the fact's session that give it away."""
    session = next(session for session in case.sessions if session.session_id == fact.session_id)
    return tuple(
        _turn_id(session, number) for number, turn in enumerate(session.turns) if held(turn.content, fact.anchors)
    )


def _turn_id(session: SessionRecord, number: int) -> str:
    return f"{session.session_id}-t{number + 1}"


def _markers(case: CaseRecord, probe: ProbeRecord) -> Mapping[str, JsonValue]:
    planted = {fact.fact_id: fact for fact in case.planted}
    about = planted.get(probe.fact_id or "")
    return {
        DISCLOSURE: {
            "kind": probe.kind,
            "facts": {fact.fact_id: list(fact.anchors) for fact in case.facts},
            "fact_id": probe.fact_id,
            "planted": about is not None and probe.fact_id not in case.forgotten,
            "stated": about.stated if about is not None else None,
            "expected_anchor_any": list(probe.expected_anchor_any),
        },
        "tags": {"kind": probe.kind, "probe": probe.probe_id},
    }


def _final(case: CaseRecord) -> MemoryInspection:
    """The last look into the memory, by which what it is good for is judged."""
    kept = [fact for fact in case.planted if fact.fact_id not in case.forgotten]
    return MemoryInspection(
        label="at the end",
        step_evaluation_markers={
            DISCLOSURE: {
                "kind": "storing",
                "facts": {fact.fact_id: list(fact.anchors) for fact in kept},
                "unsolicited": [fact.fact_id for fact in kept if fact.sensitive and not fact.asked_to_keep],
            }
        },
    )

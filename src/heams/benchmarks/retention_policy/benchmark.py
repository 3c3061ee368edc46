"""Cases as samples: everything in the order of its time, and what is stored looked into after every question."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from heams.benchmarks.case_benchmark import CaseBenchmark
from heams.benchmarks.retention_policy.config import RetentionPolicyBenchmarkConfig
from heams.benchmarks.retention_policy.records import CaseRecord, EventRecord, FactRecord, ProbeRecord
from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation.markers import LEAK_TARGETS, RETAIN_TARGETS
from heams.scenarios.actions import Action, ClockAdvance, ForgetRequest, MemoryInspection, Turn, UserStimulus
from heta_framework.common.text.prompt_template import fill

_POLICY_EVENT = "policy"


class RetentionPolicyBenchmark(CaseBenchmark[CaseRecord]):
    """One sample per case, with all of its probes.

    Raises:
        DatasetFormatError: the file is not in the format.
    """

    def __init__(self, config: RetentionPolicyBenchmarkConfig) -> None:
        super().__init__(config.data_file, CaseRecord, lambda case: case.id, config.limit)
        self.config = config

    def _sample(self, case: CaseRecord) -> BenchmarkSample:
        return BenchmarkSample(
            id=case.id,
            name=case.probes[0].query,
            execution_sequence=[*self._policy(case), *self._course(case)],
            evaluators=self.config.evaluators,
            tags={"policy": case.policy.policy_id},
        )

    def _policy(self, case: CaseRecord) -> Iterator[Action]:
        if self.config.tell_policy:
            first = min(fact.at for fact in case.facts)
            yield Turn(id=_POLICY_EVENT, content=case.policy.text, speaker="operator", role="system", at=first)

    def _course(self, case: CaseRecord) -> Iterator[Action]:
        """What was told, what happened, and what was asked, by time; at one time in this order."""
        moments = [
            *((fact.at, 0, fact) for fact in case.facts),
            *((event.at, 1, event) for event in case.events),
            *((probe.at, 2, probe) for probe in case.probes),
        ]
        for _, _, moment in sorted(moments, key=lambda one: one[:2]):
            match moment:
                case FactRecord():
                    yield _told(moment)
                case EventRecord():
                    yield from _happened(case, moment)
                case ProbeRecord():
                    yield from self._asked(case, moment)

    def _asked(self, case: CaseRecord, probe: ProbeRecord) -> Iterator[Action]:
        yield ClockAdvance(to=probe.at)
        anchors: JsonValue = list(case.anchors_of(probe))
        yield UserStimulus(
            content=fill(self.config.question_prompt, question=probe.query),
            recall_query=probe.query,
            at=probe.at,
            step_evaluation_markers={
                (LEAK_TARGETS if probe.expect == "forgotten" else RETAIN_TARGETS): anchors,
                "tags": {"family": probe.family, "expect": probe.expect, "probe": probe.probe_id},
            },
        )
        yield MemoryInspection(label=probe.probe_id)


def _told(fact: FactRecord) -> Turn:
    metadata: Mapping[str, JsonValue] = {
        "category": fact.category,
        **({"purpose": fact.purpose} if fact.purpose else {}),
        **({"supersedes": list(fact.supersedes)} if fact.supersedes else {}),
        **({"derived_from": list(fact.derived_from)} if fact.derived_from else {}),
    }
    speaker = "user" if fact.role == "user" else "assistant"
    return Turn(id=fact.fact_id, content=fact.text, speaker=speaker, role=fact.role, at=fact.at, metadata=metadata)


def _happened(case: CaseRecord, event: EventRecord) -> Iterator[Action]:
    yield ClockAdvance(to=event.at)
    if event.op == "user_delete" and event.fact_id is not None:
        content = event.text or f'Please delete what I told you: "{case.fact(event.fact_id).text}"'
        yield ForgetRequest(content=content, event_ids=(event.fact_id,))
    elif event.op == "end_purpose" and event.purpose is not None:
        said = event.text or f"The matter of the {event.purpose} is closed."
        identifier = f"end-of-{event.purpose}"
        yield Turn(id=identifier, content=said, at=event.at, metadata={"ends_purpose": event.purpose})

"""``session_recall``: of how many sessions that hold evidence did the memory find anything, whatever it was."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.evidence_recall import Cutoffs
from heams.evaluation.markers import EVIDENCE_SESSIONS, stimulus_steps
from heams.evaluation.records import EvaluationRecord, Outcome
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

_WITHOUT_LABEL: tuple[Outcome, str] = ("unscored", "no session is labelled as evidence")
_WITHOUT_PROVENANCE: tuple[Outcome, str] = ("unsupported", "the memory's items do not name the events they came from")
_WITHOUT_RANKING: tuple[Outcome, str] = (
    "unscored",
    "the memory declares that the order of what it recalls means nothing",
)


class SessionRecallEvaluatorConfig(BaseModel):
    """Did the memory find anything of each session that holds evidence: session_recall@k.

    ``k``: the cut-offs, in recalled items: different numbers from 1 to 10,000.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["session_recall"] = "session_recall"
    k: Cutoffs = Field(default=(10,), min_length=1)

    @property
    def metrics(self) -> tuple[str, ...]:
        """``session_recall@k`` for each cut-off."""
        return tuple(f"session_recall@{k}" for k in self.k)


@register_evaluator("session_recall")
class SessionRecallEvaluator(BaseEvaluator):
    """Reads the marker ``evidence_sessions``: for each session with evidence the ids of all its events.

    A session is found where one of the first k items came from one of its events. Outcomes without a value are those of
    ``evidence_recall``.
    """

    config: SessionRecallEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        return [record for step in outcome.answered() for record in self._judge(step, outcome)]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric) for index, _ in stimulus_steps(scenario) for metric in self.config.metrics
        ]

    def _judge(self, step: Step, outcome: ScenarioOutcome) -> Iterator[EvaluationRecord]:
        sessions = _sessions(outcome.scenario.markers(step.index))
        missing = _what_is_missing(sessions, outcome)
        for k, metric in zip(self.config.k, self.config.metrics, strict=True):
            given: dict[str, Any] = {"evaluator": self.type, "metric": metric, "step_index": step.index}
            if missing is not None:
                yield EvaluationRecord(**given, outcome=missing[0], reason=missing[1])
            else:
                yield _scored(step, sessions, k, given)


def _sessions(markers: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    return [[str(event_id) for event_id in session] for session in markers.get(EVIDENCE_SESSIONS) or ()]


def _what_is_missing(sessions: Sequence[Sequence[str]], outcome: ScenarioOutcome) -> tuple[Outcome, str] | None:
    if not sessions:
        return _WITHOUT_LABEL
    if not outcome.memory_provenance:
        return _WITHOUT_PROVENANCE
    return None if outcome.memory_ranked else _WITHOUT_RANKING


def _scored(step: Step, sessions: Sequence[Sequence[str]], k: int, given: Mapping[str, Any]) -> EvaluationRecord:
    seen = {event_id for item in step.recalled[:k] for event_id in item.event_ids}
    found = [session for session in sessions if not seen.isdisjoint(session)]
    return EvaluationRecord(
        **given,
        value=len(found) / len(sessions),
        expected=", ".join(_shown(session) for session in sessions),
        observed=", ".join(_shown(session) for session in found) or "none of them",
        reason=f"{len(found)} of {len(sessions)} in the first {k}",
    )


def _shown(session: Sequence[str]) -> str:
    """A session by its first and last event."""
    return session[0] if len(session) == 1 else f"{session[0]} to {session[-1]}"

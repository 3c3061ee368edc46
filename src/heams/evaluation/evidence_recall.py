"""`evidence_recall`: did the memory find the evidence, whatever the agent made of it."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import EVIDENCE_NOTE, evidence_ids, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario
from heta_framework.common.config import WholeNumber

MRR = "mrr"
LARGEST_CUTOFF = 10_000

Cutoff = Annotated[WholeNumber, Field(ge=1, le=LARGEST_CUTOFF)]


def _different(cutoffs: tuple[int, ...]) -> tuple[int, ...]:
    repeated = next((k for k, times in Counter(cutoffs).items() if times > 1), None)
    if repeated is not None:
        raise ValueError(f"must be different numbers; {repeated} stands there more than once")
    return cutoffs


Cutoffs = Annotated[tuple[Cutoff, ...], AfterValidator(_different)]


class EvidenceRecallEvaluatorConfig(BaseModel):
    """Did the memory find the gold evidence: recall@k and mean reciprocal rank.

    ``k``: the cut-offs of recall@k, in recalled items: different numbers from 1 to 10,000.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["evidence_recall"] = "evidence_recall"
    k: Cutoffs = Field(default=(10,), min_length=1)

    @property
    def metrics(self) -> tuple[str, ...]:
        """``recall@k`` for each cut-off, and ``mrr``."""
        return (*(f"recall@{k}" for k in self.k), MRR)


@register_evaluator("evidence_recall")
class EvidenceRecallEvaluator(BaseEvaluator):
    """recall@k and MRR of gold evidence ids among the items that reached the agent.

    An item counts for every event it came from. Steps without a usable evidence label are ``unscored``; so are
    memories that return everything unranked (recall@k means nothing there), and items without provenance are
    ``unsupported``.
    """

    config: EvidenceRecallEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        return [record for step in outcome.answered() for record in self._judge(step, outcome)]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric) for index, _ in stimulus_steps(scenario) for metric in self.config.metrics
        ]

    def _judge(self, step: Step, outcome: ScenarioOutcome) -> list[EvaluationRecord]:
        markers = outcome.scenario.markers(step.index)
        gold = evidence_ids(markers)
        if not gold:
            note = markers.get(EVIDENCE_NOTE) or "the step has no evidence label"
            return [self._without_value(step, metric, "unscored", str(note)) for metric in self.config.metrics]
        if not outcome.memory_provenance:
            reason = "the memory's items do not name the events they came from"
            return [self._without_value(step, metric, "unsupported", reason) for metric in self.config.metrics]
        if not outcome.memory_ranked:
            reason = "the memory declares that the order of what it recalls means nothing"
            return [self._without_value(step, metric, "unscored", reason) for metric in self.config.metrics]
        return self._scored(step, gold)

    def _scored(self, step: Step, gold: tuple[str, ...]) -> list[EvaluationRecord]:
        from heams.evaluation.retrieval import recall_at_k, reciprocal_rank

        ranked = [item.event_ids for item in step.recalled]
        wanted = frozenset(gold)
        rank_of: dict[str, int] = {}
        for rank, event_ids in enumerate(ranked, start=1):
            for event_id in wanted.intersection(event_ids):
                rank_of.setdefault(event_id, rank)
        found = ", ".join(f"{event_id} at rank {rank_of[event_id]}" for event_id in gold if event_id in rank_of)
        common = {
            "evaluator": self.type,
            "step_index": step.index,
            "expected": ", ".join(gold),
            "observed": found or "none of them",
            "audit": {"ranks": dict(rank_of), "recalled": len(ranked)},
        }
        records = [
            EvaluationRecord(
                **common,
                metric=f"recall@{k}",
                value=recall_at_k(ranked, wanted, k),
                reason=f"{sum(rank <= k for rank in rank_of.values())} of {len(wanted)} in the first {k}",
            )
            for k in self.config.k
        ]
        best = min(rank_of.values(), default=None)
        reason = f"first hit at rank {best}" if best else "no hit"
        return [
            *records,
            EvaluationRecord(**common, metric=MRR, value=reciprocal_rank(ranked, wanted), reason=reason),
        ]

    def _without_value(
        self, step: Step, metric: str, outcome: Literal["unscored", "unsupported"], reason: str
    ) -> EvaluationRecord:
        return EvaluationRecord(
            evaluator=self.type, metric=metric, step_index=step.index, outcome=outcome, reason=reason
        )

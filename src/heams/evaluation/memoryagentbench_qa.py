"""``memoryagentbench``: answers scored by the rule of their source.

A step says in its markers where its question comes from (``source``) and what is right (``expected_answer``). Each
source has metrics of its own (``memoryagentbench_sources``), so that no mean merges sources of different rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from anyio import to_thread
from pydantic import BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import expected_answers, stimulus_steps
from heams.evaluation.memoryagentbench_sources import NEWEST, RECOMMENDED, RULES, family_of
from heams.evaluation.memoryagentbench_verdicts import MEASURES, OUTDATED, measured, no_gold, unscored
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

SOURCE: Final = "source"
FILM_NUMBERS: Final = "film_numbers"

_OFFICIAL = (
    *("exact_match", "f1", "substring_exact_match"),
    *("rougeL_f1", "rougeL_recall", "rougeLsum_f1", "rougeLsum_recall"),
    *("eventqa_recall", "ruler_recall", *RECOMMENDED.values()),
)


class MemoryAgentBenchEvaluatorConfig(BaseModel):
    """Answers by the rule of their source: exact match, substring match, recall, or a proxy where a judge is official.

    ``legacy`` adds what the published code gives the same replies, as metrics that end in ``_legacy``; for
    recommendations it needs ``entity_file``, the published ``entity2id.json``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["memoryagentbench"] = "memoryagentbench"
    legacy: bool = False
    entity_file: Path | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        """All that it gives."""
        own = dict.fromkeys(metric for rule in RULES.values() for metric in rule.metrics)
        return (*own, NEWEST, *(f"{name}_legacy" for name in _OFFICIAL if self.legacy))


@register_evaluator("memoryagentbench")
class MemoryAgentBenchEvaluator(BaseEvaluator):
    """One record per answered step and metric of its source; what cannot be scored is ``unscored``, with the reason."""

    config: MemoryAgentBenchEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        judge = partial(self._judge_all, outcome)
        return await to_thread.run_sync(judge) if self.config.legacy else judge()  # ROUGE-Lsum and titles take long

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric)
            for index, markers in stimulus_steps(scenario)
            for metric in self._metrics(markers)
        ]

    def _metrics(self, markers: Mapping[str, Any]) -> tuple[str, ...]:
        source = str(markers.get(SOURCE, ""))
        own = (*RULES[family_of(source)].metrics, *((NEWEST,) if markers.get(OUTDATED) else ()))
        return (*own, *(f"{name}_legacy" for name in _official_names(source) if self.config.legacy))

    def _judge_all(self, outcome: ScenarioOutcome) -> list[EvaluationRecord]:
        return [
            record
            for step, reply in outcome.replied()
            for record in self._judge(step, reply, outcome.scenario.markers(step.index))
        ]

    def _judge(self, step: Step, reply: str, markers: Mapping[str, Any]) -> Iterator[EvaluationRecord]:
        golds = expected_answers(markers)
        common: dict[str, Any] = {
            "evaluator": self.type,
            "step_index": step.index,
            "observed": reply,
            "expected": " | ".join(golds) or None,
        }
        official = self._official(reply, markers) if self.config.legacy else {}
        for metric in self._metrics(markers):
            rule = MEASURES.get(metric)
            found = rule(reply, golds, markers) if rule and golds else official.get(metric, no_gold())
            yield EvaluationRecord(**common, metric=metric, **found)

    def _official(self, reply: str, markers: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        from heams.evaluation.memoryagentbench_official import OfficialFailure

        source = str(markers.get(SOURCE, ""))
        try:
            scores = self._official_scores(reply, markers, source)
        except OfficialFailure as failure:
            reason = f"the official code fails here: {failure}"
            return {f"{name}_legacy": unscored(reason) for name in _official_names(source)}
        return {f"{name}_legacy": measured(float(score), name) for name, score in scores.items()}

    def _official_scores(self, reply: str, markers: Mapping[str, Any], source: str) -> Mapping[str, float]:
        from heams.evaluation import memoryagentbench_movies as movies
        from heams.evaluation.memoryagentbench_official import OfficialFailure, official_scores

        if family_of(source) != "recsys":
            return official_scores(reply, list(expected_answers(markers)), source)
        if self.config.entity_file is None:
            raise OfficialFailure("recommendations need 'entity_file'")
        films = movies.read_films(self.config.entity_file)
        found = movies.official_recommended(reply, markers.get(FILM_NUMBERS) or (), films)
        return {RECOMMENDED[k]: recall for k, recall in found.recall.items()}


def _official_names(source: str) -> tuple[str, ...]:
    from heams.evaluation.memoryagentbench_official import official_metrics_of

    return tuple(RECOMMENDED.values()) if family_of(source) == "recsys" else official_metrics_of(source)

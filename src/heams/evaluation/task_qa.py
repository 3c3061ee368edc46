"""`task_qa`: the answer to a stimulus against its expected answers, under one of several match modes."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import expected_answers, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

MatchMode = Literal["exact", "normalized_exact", "contains", "token_f1", "numeric", "regex"]


class TaskQAEvaluatorConfig(BaseModel):
    """The answer against its expected answers, under one of six match modes.

    ``match_mode`` decides how answer and gold are compared; several gold answers count as alternatives.

    ``pass_threshold``: the value from which a record is ``passed`` (only ``token_f1`` has values between 0 and 1).
    ``rel_tol`` and ``abs_tol`` belong to ``numeric``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["task_qa"] = "task_qa"
    match_mode: MatchMode
    pass_threshold: float = Field(default=1.0, gt=0, le=1)
    rel_tol: float = Field(default=1e-9, ge=0)
    abs_tol: float = Field(default=0.0, ge=0)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metric is named after the match mode."""
        return (self.match_mode,)


@register_evaluator("task_qa")
class TaskQAEvaluator(BaseEvaluator):
    """One record per answered step, metric named after the match mode; steps without a label are ``unscored``."""

    config: TaskQAEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        return [self._judge(step, outcome.scenario) for step in outcome.answered() if step.reply is not None]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [ExpectedRecord(index, self.config.match_mode) for index, _ in stimulus_steps(scenario)]

    def _judge(self, step: Step, scenario: Scenario) -> EvaluationRecord:
        from heta_framework.common.text.matching import match_answer

        gold = expected_answers(scenario.markers(step.index))
        observed = step.reply or ""
        common: dict[str, Any] = {
            "evaluator": self.type,
            "metric": self.config.match_mode,
            "step_index": step.index,
            "observed": observed,
        }
        if not gold:
            return EvaluationRecord(**common, outcome="unscored", reason="the step has no expected answer")
        tolerances = {"rel_tol": self.config.rel_tol, "abs_tol": self.config.abs_tol}
        options: dict[str, Any] = tolerances if self.config.match_mode == "numeric" else {}
        common["expected"] = " | ".join(gold)
        try:
            verdict = match_answer(observed, gold, self.config.match_mode, **options)
        except (ValueError, TimeoutError) as cause:  # the label cannot be compared: no verdict on the answer
            return EvaluationRecord(**common, outcome="unscored", reason=str(cause))
        passed = verdict.value >= self.config.pass_threshold
        return EvaluationRecord(**common, value=verdict.value, passed=passed, reason=verdict.reason)

"""`locomo_qa`: answers scored by LoCoMo's official rules.

Categories 1-4 give the metric ``f1``, category 5 (adversarial) gives ``adversarial_accuracy``: two metrics, so that no
headline can merge them. Source: Maharana et al. 2024 (arXiv 2402.17753) and the rules of its published scorer.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import EXPECTED_ANSWER, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

CATEGORY_ID = "category_id"
ADVERSARIAL_ANSWER = "adversarial_answer"
F1 = "f1"
ADVERSARIAL = "adversarial_accuracy"
REFUSAL = "adversarial_refusal"
OPTIONS = "options"
_ADVERSARIAL_CATEGORY = 5
_LETTER = re.compile(r"\(?([ab])[).:]?", re.IGNORECASE)


class LocomoQAEvaluatorConfig(BaseModel):
    """LoCoMo's official rules: token F1 by category, and abstention in category 5.

    ``wider_refusals``: also report ``adversarial_refusal``, which accepts paraphrased refusals in category 5."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["locomo_qa"] = "locomo_qa"
    wider_refusals: bool = False

    @property
    def metrics(self) -> tuple[str, ...]:
        """``f1`` and ``adversarial_accuracy``, and ``adversarial_refusal`` where it is asked for."""
        return (F1, ADVERSARIAL, REFUSAL) if self.wider_refusals else (F1, ADVERSARIAL)


@register_evaluator("locomo_qa")
class LocomoQAEvaluator(BaseEvaluator):
    """One record per answered step (two in category 5 with ``wider_refusals``)."""

    config: LocomoQAEvaluatorConfig

    def __init__(self, config: LocomoQAEvaluatorConfig) -> None:
        from heams.evaluation.locomo_scoring import prepare

        super().__init__(config)
        prepare()

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        return [
            record
            for step, reply in outcome.replied()
            for record in self._judge(step, reply, outcome.scenario.markers(step.index))
        ]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric)
            for index, markers in stimulus_steps(scenario)
            for metric in self._metrics(markers.get(CATEGORY_ID))
        ]

    def _metrics(self, category: Any) -> tuple[str, ...]:
        if category != _ADVERSARIAL_CATEGORY:
            return (F1,)
        return (ADVERSARIAL, REFUSAL) if self.config.wider_refusals else (ADVERSARIAL,)

    def _judge(self, step: Step, reply: str, markers: Any) -> list[EvaluationRecord]:
        category = markers.get(CATEGORY_ID)
        if category not in (1, 2, 3, 4, _ADVERSARIAL_CATEGORY):
            reason = f"{CATEGORY_ID} must be 1 to 5, found {category!r}"
            return [self._record(step, F1, outcome="unscored", observed=reply, reason=reason)]
        if category == _ADVERSARIAL_CATEGORY:
            return self._adversarial(step, reply, markers)
        gold = markers.get(EXPECTED_ANSWER)
        if gold is None:
            reason = "the question has no answer label"
            return [self._record(step, F1, outcome="unscored", observed=reply, reason=reason)]
        return [self._answerable(step, category, gold, reply)]

    def _answerable(self, step: Step, category: int, gold: Any, reply: str) -> EvaluationRecord:
        from heams.evaluation.locomo_scoring import exact_set_match, score

        value = score(category, gold, reply)
        exact = exact_set_match(reply, gold)
        return self._record(
            step, F1, value=value, expected=str(gold), observed=reply, reason=f"token F1 {value:.3f}",
            audit={"exact_set_match": exact, CATEGORY_ID: category},
        )  # fmt: skip

    def _adversarial(self, step: Step, reply: str, markers: Any) -> list[EvaluationRecord]:
        from heams.evaluation.locomo_scoring import abstains
        from heta_framework.common.text.refusal import refuses

        trap = markers.get(ADVERSARIAL_ANSWER)
        chosen = _chosen_option(reply, markers.get(OPTIONS) or {})
        verdicts = {ADVERSARIAL: abstains(chosen)}
        if self.config.wider_refusals:
            verdicts[REFUSAL] = refuses(chosen)
        return [
            self._record(
                step,
                metric,
                value=float(right),
                passed=right,
                expected="not mentioned",
                observed=reply,
                reason="abstained" if right else "answered a question that has no answer",
                audit={"trap": trap, CATEGORY_ID: _ADVERSARIAL_CATEGORY},
            )
            for metric, right in verdicts.items()
        ]

    def _record(self, step: Step, metric: str, **fields: Any) -> EvaluationRecord:
        return EvaluationRecord(evaluator=self.type, metric=metric, step_index=step.index, **fields)


def _chosen_option(reply: str, options: Mapping[str, str]) -> str:
    """The text of the option that a bare letter names ("b", "(b)"); any other reply stands for itself."""
    letter = _LETTER.fullmatch(reply.strip())
    return options.get(letter[1].lower(), reply) if letter else reply

"""``aime``: the integer from 0 to 999 that an answer gives, against the expected one."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import expected_answers, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

ACCURACY: Final = "aime_accuracy"
ACCURACY_LEGACY: Final = "aime_accuracy_legacy"
EXTRACTION: Final = "extraction"


class AimeEvaluatorConfig(BaseModel):
    r"""Is the integer (0 to 999) that the answer gives the expected one.

    It is looked for in the last ``\boxed{}``, in ``<answer>`` tags, after ``FINAL ANSWER``, after "answer is", and at
    last among the integers that stand alone; the tag ``extraction`` says where it was found. ``legacy`` adds
    ``aime_accuracy_legacy``, the verdict of Dynamic Cheatsheet.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["aime"] = "aime"
    legacy: bool = False

    @property
    def metrics(self) -> tuple[str, ...]:
        """``aime_accuracy``, and with ``legacy`` that of the official code."""
        return (ACCURACY, ACCURACY_LEGACY) if self.legacy else (ACCURACY,)


@register_evaluator("aime")
class AimeEvaluator(BaseEvaluator):
    """One record per answered step and metric; steps without an AIME answer as their label are ``unscored``."""

    config: AimeEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        return [record for step, reply in outcome.replied() for record in self._judge(step, reply, outcome.scenario)]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric) for index, _ in stimulus_steps(scenario) for metric in self.config.metrics
        ]

    def _judge(self, step: Step, reply: str, scenario: Scenario) -> Iterator[EvaluationRecord]:
        from heams.evaluation.aime_integers import whole_integer

        labels = expected_answers(scenario.markers(step.index))
        expected = whole_integer(labels[0]) if len(labels) == 1 else None
        common: dict[str, Any] = {"evaluator": self.type, "step_index": step.index, "observed": reply}
        if expected is None:
            reason = f"the expected answer is no integer from 0 to 999: {' | '.join(labels) or 'there is none'}"
            for metric in self.config.metrics:
                yield EvaluationRecord(**common, metric=metric, outcome="unscored", reason=reason)
            return
        common["expected"] = str(expected)
        yield _scored(common, reply, expected)
        if self.config.legacy:
            yield _by_official_rule(common, reply, labels[0])


def _scored(common: dict[str, Any], reply: str, expected: int) -> EvaluationRecord:
    from heams.evaluation.aime_reading import extract_answer

    found = extract_answer(reply)
    what = "no AIME answer found" if found.answer is None else f"extracted AIME answer '{found.answer}'"
    passed = found.answer == expected
    return EvaluationRecord(
        **common,
        metric=ACCURACY,
        value=float(passed),
        passed=passed,
        reason=f"{what}, expected '{expected}'",
        tags={EXTRACTION: found.rule},
    )


def _by_official_rule(common: dict[str, Any], reply: str, label: str) -> EvaluationRecord:
    from heams.evaluation.aime_official import official_answer, official_is_right

    passed = official_is_right(reply, label)
    reason = f"the official extractor gives {official_answer(reply)[:80]!r}"
    return EvaluationRecord(**common, metric=ACCURACY_LEGACY, value=float(passed), passed=passed, reason=reason)

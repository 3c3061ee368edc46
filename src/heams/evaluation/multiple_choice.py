"""``multiple_choice``: did a free reply choose the right one of the options that the step offered?

A step says so in its markers: ``options`` (texts by their letters, lower-case, in the order in which they were shown)
and ``right_option`` (a letter).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import OPTIONS, RIGHT_OPTION, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

ACCURACY: Final = "choice_accuracy"
LegacyRule = Literal["prefeval_tag", "prefeval_prefilled", "prefeval_json", "personamem"]


def _different(rules: tuple[LegacyRule, ...]) -> tuple[LegacyRule, ...]:
    if len(set(rules)) < len(rules):
        raise ValueError(f"must be different rules; found {', '.join(rules)}")
    return rules


class MultipleChoiceEvaluatorConfig(BaseModel):
    """Was the right option chosen: by its letter in any form, or in its own words.

    ``legacy``: official rules to report beside ``choice_accuracy``, each as ``<rule>_legacy``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["multiple_choice"] = "multiple_choice"
    legacy: Annotated[tuple[LegacyRule, ...], AfterValidator(_different)] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """``choice_accuracy``, and one for each legacy rule."""
        return (ACCURACY, *(f"{rule}_legacy" for rule in self.legacy))


@register_evaluator("multiple_choice")
class MultipleChoiceEvaluator(BaseEvaluator):
    """One record per answered step and rule; a reply that chooses no option is wrong, and its reason says why."""

    config: MultipleChoiceEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        return [
            record
            for step, reply in outcome.replied()
            for record in self._judge(step, reply, outcome.scenario.markers(step.index))
        ]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric) for index, _ in stimulus_steps(scenario) for metric in self.config.metrics
        ]

    def _judge(self, step: Step, reply: str, markers: Mapping[str, Any]) -> Iterator[EvaluationRecord]:
        options, right = markers.get(OPTIONS), str(markers.get(RIGHT_OPTION))
        common: dict[str, Any] = {"evaluator": self.type, "step_index": step.index, "observed": reply}
        if not isinstance(options, Mapping) or right not in options:
            for metric in self.config.metrics:
                yield EvaluationRecord(**common, metric=metric, outcome="unscored", reason="the step offers no options")
            return
        common["expected"] = f"({right}) {options[right]}"
        yield self._scored(common, reply, options, right)
        for rule in self.config.legacy:
            yield _by_legacy(common, rule, reply, right)

    def _scored(
        self, common: Mapping[str, Any], reply: str, options: Mapping[str, str], right: str
    ) -> EvaluationRecord:
        from heams.evaluation.choice_reading import read_choice

        choice = read_choice(reply, options)
        passed = choice.letter is not None and options[choice.letter] == options[right]
        audit = {"chosen": choice.letter, "right": right}
        return EvaluationRecord(
            **common, metric=ACCURACY, value=float(passed), passed=passed, reason=choice.reason, audit=audit
        )


def _by_legacy(common: Mapping[str, Any], rule: LegacyRule, reply: str, right: str) -> EvaluationRecord:
    from heams.evaluation.choice_official import OfficialFailure

    metric = f"{rule}_legacy"
    try:
        passed, reason = _official_verdict(rule, reply, right)
    except OfficialFailure as failure:
        reason = f"the official code fails on this reply ({failure})"
        return EvaluationRecord(**common, metric=metric, outcome="unscored", reason=reason)
    return EvaluationRecord(**common, metric=metric, value=float(passed), passed=passed, reason=reason)


def _official_verdict(rule: LegacyRule, reply: str, right: str) -> tuple[bool, str]:
    from heams.evaluation.choice_official import personamem_is_right, prefeval_json, prefeval_prefilled, prefeval_tag

    if rule == "personamem":
        passed = personamem_is_right(reply, right)
        return passed, "named the right letter alone" if passed else "did not name the right letter alone"
    extractors = {
        "prefeval_tag": prefeval_tag,
        "prefeval_prefilled": prefeval_prefilled,
        "prefeval_json": prefeval_json,
    }
    letter = extractors[rule](reply)
    return letter == right.upper(), f"extracted {letter}" if letter else "extracted no letter"

"""``stale``: does an answer go by the state that holds, by phrases; a proxy for STALE's judge."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import STALE, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.evaluation.stale_rules import ProbePhrases, Verdict, judge_changed, judge_held
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

CHANGED: Final = "stale_proxy"
HELD: Final = "still_holds_proxy"
_WITHOUT_PHRASES = "the data gives no phrases to score this question by; published scores need a judge (llm_judge)"


class StaleEvaluatorConfig(BaseModel):
    """Does the answer go by the state that holds: a proxy by phrases.

    ``stale_proxy``, where a state was silently ended: the answer says the new one and does not assert the old one.
    ``still_holds_proxy``, where it was not: the answer asserts the old one, without doubting it or making up a change.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["stale"] = "stale"

    @property
    def metrics(self) -> tuple[str, ...]:
        """All that it gives; each question has one of them."""
        return (CHANGED, HELD)


@register_evaluator("stale")
class StaleEvaluator(BaseEvaluator):
    """Reads the marker ``stale`` of a step.

    It is a mapping: ``holds`` (whether the old state still does), ``probe`` (``dim1`` to ``dim3``), and ``phrases``
    (see ``ProbePhrases``), without which the step is ``unscored``.
    """

    config: StaleEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        markers = ((step, outcome.scenario.markers(step.index).get(STALE)) for step in outcome.answered())
        return [self._judge(step, marker) for step, marker in markers if marker]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, _metric(markers[STALE]))
            for index, markers in stimulus_steps(scenario)
            if STALE in markers
        ]

    def _judge(self, step: Step, marker: Mapping[str, Any]) -> EvaluationRecord:
        given = {"evaluator": self.type, "metric": _metric(marker), "step_index": step.index, "observed": step.reply}
        if marker.get("phrases") is None:
            return EvaluationRecord(**given, outcome="unscored", reason=_WITHOUT_PHRASES)
        phrases = ProbePhrases.model_validate(marker["phrases"])
        verdict = _verdict(step.reply or "", marker, phrases)
        return EvaluationRecord(
            **given,
            value=float(verdict.passed),
            passed=verdict.passed,
            expected=_wanted(phrases),
            reason=verdict.reason,
            audit={"holds": bool(marker["holds"]), "phrases": phrases.model_dump(mode="json")},
        )


def _metric(marker: Mapping[str, Any]) -> str:
    return HELD if marker["holds"] else CHANGED


def _verdict(answer: str, marker: Mapping[str, Any], phrases: ProbePhrases) -> Verdict:
    """By the rule of the probe: in ``dim3`` what is done must follow the new state, and doubt alone is no help."""
    if marker["holds"]:
        return judge_held(answer, phrases)
    return judge_changed(answer, phrases, doubt_counts=marker["probe"] != "dim3")


def _wanted(phrases: ProbePhrases) -> str:
    wanted = " / ".join([*([phrases.says] if phrases.says else []), *phrases.must_any])
    return f"{wanted}; not: {' / '.join(phrases.must_not)}" if phrases.must_not else wanted

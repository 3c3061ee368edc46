"""``nugget``: answers scored item by item of a rubric, without a model.

Every metric is a proxy: the published scores of rubrics need a judge (``llm_judge`` with the policy ``nugget``), which
may stand beside it. Rules that differ give metrics that differ, so that no mean can merge them.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

RUBRIC: Final = "rubric"
"""The marker with the items of a step's rubric; for an order the events, first to last."""
RUBRIC_RULE: Final = "rubric_rule"
"""The marker that says how the rubric is read: ``items`` (the default), ``order`` or ``abstention``."""

NUGGET: Final = "nugget_proxy"
ORDER: Final = "event_order_proxy"
ABSTENTION: Final = "abstention_proxy"
NUGGET_LEGACY: Final = "nugget_proxy_legacy"
ORDER_LEGACY: Final = "event_order_proxy_legacy"

_METRICS: Mapping[str, tuple[str, ...]] = {"items": (NUGGET,), "order": (ORDER,), "abstention": (ABSTENTION,)}
_LEGACY: Mapping[str, tuple[str, ...]] = {"items": (NUGGET_LEGACY,), "order": (ORDER_LEGACY,), "abstention": ()}


class NuggetEvaluatorConfig(BaseModel):
    """Rubrics by their words: each item 1, 0.5 or 0, and the score of a question the mean over its items.

    ``event_order_proxy`` scores a list of events by Kendall's tau-b, ``abstention_proxy`` whether the answer declines.
    ``legacy`` adds what BEAM's published code makes of the same answers: ``nugget_proxy_legacy`` (0.5 becomes 0) and
    ``event_order_proxy_legacy`` (every line is an event).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["nugget"] = "nugget"
    legacy: bool = False

    @property
    def metrics(self) -> tuple[str, ...]:
        """All that it gives."""
        return (NUGGET, ORDER, ABSTENTION, *((NUGGET_LEGACY, ORDER_LEGACY) if self.legacy else ()))


@register_evaluator("nugget")
class NuggetEvaluator(BaseEvaluator):
    """Judges every step that has the marker ``rubric``, by the rule that its marker ``rubric_rule`` names."""

    config: NuggetEvaluatorConfig

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
            if rubric_of(markers)
            for metric in self._metrics(rule_of(markers))
        ]

    def _metrics(self, rule: str) -> tuple[str, ...]:
        return (*_METRICS[rule], *(_LEGACY[rule] if self.config.legacy else ()))

    def _judge(self, step: Step, reply: str, markers: Mapping[str, Any]) -> Iterator[EvaluationRecord]:
        items = rubric_of(markers)
        if items:
            judge = _JUDGES[rule_of(markers)]
            wanted = {"evaluator": self.type, "step_index": step.index, "expected": " | ".join(items)}
            for metric, verdict in judge(reply, items, self.config.legacy):
                yield EvaluationRecord(**wanted, metric=metric, observed=reply, **verdict)


def rubric_of(markers: Mapping[str, Any]) -> tuple[str, ...]:
    """The items of a step's rubric; empty where it has none."""
    found = markers.get(RUBRIC) or ()
    return (found,) if isinstance(found, str) else tuple(str(item) for item in found)


def rule_of(markers: Mapping[str, Any]) -> str:
    """How a step's rubric is read.

    Raises:
        ValueError: the marker names no rule.
    """
    rule = markers.get(RUBRIC_RULE, "items")
    if rule not in _METRICS:
        raise ValueError(f"marker {RUBRIC_RULE!r} must be one of {', '.join(_METRICS)}; found {rule!r}")
    return str(rule)


_Verdicts = Iterator[tuple[str, dict[str, Any]]]


def _items(answer: str, items: Sequence[str], legacy: bool) -> _Verdicts:
    from heams.evaluation.beam_official import rubric_score
    from heams.evaluation.nugget_rules import item_score, rubric_mean

    scores = [item_score(answer, item) for item in items]
    audit = {"items": [{"item": item, "score": score} for item, score in zip(items, scores, strict=True)]}
    reason = f"items: {', '.join(f'{score:g}' for score in scores)}"
    yield NUGGET, {"value": rubric_mean(scores), "passed": min(scores) == 1, "reason": reason, "audit": audit}
    if legacy:
        yield NUGGET_LEGACY, {"value": rubric_score(scores, whole=True), "reason": f"{reason}; 0.5 counts 0"}


def _order(answer: str, items: Sequence[str], legacy: bool) -> _Verdicts:
    from heams.evaluation.event_order import event_order

    found = event_order(answer, items)
    tau = "" if found.tau_b is None else f", tau-b {found.tau_b:.3f}"
    yield (
        ORDER,
        {
            "value": found.score,
            "passed": found.score == 1,
            "reason": f"{len(found.named)} of {found.events} events named{tau}",
            "audit": {"named": [items[event] for event in found.named], "tau_b": found.tau_b, "recall": found.recall},
        },
    )
    if legacy:
        yield ORDER_LEGACY, _order_legacy(answer, items)


def _order_legacy(answer: str, items: Sequence[str]) -> dict[str, Any]:
    from heams.evaluation.beam_official import align, order_score
    from heams.evaluation.event_order import names_event

    score = order_score(items, align(items, answer.split("\n"), lambda event, line: names_event(line, event)).aligned)
    if math.isnan(score.tau_norm):
        return {"outcome": "unscored", "reason": "the published code gives no number (NaN) for so few events"}
    audit = {"precision": score.precision, "recall": score.recall, "f1": score.f1, "final_score": score.final_score}
    return {"value": score.tau_norm, "reason": f"(tau-b + 1) / 2 over every line: {score.tau_norm:.3f}", "audit": audit}


def _abstention(answer: str, items: Sequence[str], legacy: bool) -> _Verdicts:
    from heta_framework.common.text.refusal import refuses

    declined = refuses(answer)
    reason = "declined to answer" if declined else "answered a question that has no answer"
    yield ABSTENTION, {"value": float(declined), "passed": declined, "reason": reason}


_JUDGES: Mapping[str, Callable[[str, Sequence[str], bool], _Verdicts]] = {
    "items": _items,
    "order": _order,
    "abstention": _abstention,
}

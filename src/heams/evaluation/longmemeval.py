"""``longmemeval``: LongMemEval's questions scored without a model; a proxy for its judge.

| question | metric | value |
|---|---|---|
| with a gold of at most ``SHORT`` tokens | ``longmemeval_proxy`` | 1 where the answer contains its parts, else 0 |
| with a longer one | ``longmemeval_proxy`` | token F1 |
| that cannot be answered | ``abstention_proxy`` | 1 where the answer declines, else 0 |
| about preferences | ``longmemeval_proxy`` | ``unscored``: its gold is a rubric, which only a judge can read |

Parts stand between commas, semicolons and "and"; a number or an amount is found in figures or in words, a date in any
full spelling. What the answer only denies ("not 3 but 4") it does not contain. Where a gold says what is "also
acceptable", each of its alternatives counts.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.markers import expected_answers, stimulus_steps
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

RULE: Final = "longmemeval_rule"
ANSWER: Final = "longmemeval_proxy"
ABSTENTION: Final = "abstention_proxy"
SHORT: Final = 5
"""The most tokens of a gold answer whose parts must be found; longer ones are compared by their words."""
_PARTS = re.compile(r"[,;]\s+|\s+(?:and|&)\s+")
_AMOUNT = re.compile(r"[$€£]?\s?[0-9][0-9,]*(?:\.[0-9]+)?")
_ALSO = re.compile(
    r"\.\s+(?P<other>[^.]+?)(?:\s*\([^()]*\))?\s+(?:is|are|would be) also acceptable\.?\s*$", re.IGNORECASE
)
_RUBRIC = "the gold is a rubric, which no rule can read; published scores need a judge (llm_judge)"


class LongMemEvalEvaluatorConfig(BaseModel):
    """LongMemEval's answers by rules: containment of short golds, token F1 with longer ones, and abstention.

    ``longmemeval_proxy`` is about questions that can be answered, ``abstention_proxy`` about the others. Questions
    about preferences are ``unscored``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["longmemeval"] = "longmemeval"

    @property
    def metrics(self) -> tuple[str, ...]:
        """All that it gives; each question has one of them."""
        return (ANSWER, ABSTENTION)


@register_evaluator("longmemeval")
class LongMemEvalEvaluator(BaseEvaluator):
    """Reads the markers ``longmemeval_rule`` (``answer``, ``preference`` or ``abstention``) and ``expected_answer``."""

    config: LongMemEvalEvaluatorConfig

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        markers = ((step, outcome.scenario.markers(step.index)) for step in outcome.answered())
        return [self._judge(step, found) for step, found in markers if RULE in found]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        owing = ((index, markers) for index, markers in stimulus_steps(scenario) if RULE in markers)
        return [ExpectedRecord(index, _metric(markers)) for index, markers in owing]

    def _judge(self, step: Step, markers: Mapping[str, Any]) -> EvaluationRecord:
        golds = expected_answers(markers)
        given: dict[str, Any] = {
            "evaluator": self.type,
            "metric": _metric(markers),
            "step_index": step.index,
            "expected": " | ".join(golds) or None,
            "observed": step.reply,
        }
        if markers[RULE] == "abstention":
            return _declined(step.reply or "", given)
        if markers[RULE] == "preference":
            return EvaluationRecord(**given, outcome="unscored", reason=_RUBRIC)
        if not golds:
            return EvaluationRecord(**given, outcome="unscored", reason="the question has no answer label")
        found = [_answered(step.reply or "", gold, given) for gold in _alternatives(golds[0])]
        return max(found, key=lambda record: record.value or 0.0)


def _metric(markers: Mapping[str, Any]) -> str:
    return ABSTENTION if markers[RULE] == "abstention" else ANSWER


def _declined(answer: str, given: Mapping[str, Any]) -> EvaluationRecord:
    from heta_framework.common.text.refusal import refuses

    right = refuses(answer)
    reason = "declines" if right else "answers a question that has no answer"
    return EvaluationRecord(**given, value=float(right), passed=right, reason=reason)


def _alternatives(gold: str) -> list[str]:
    """What a gold accepts: "7 days. 8 days (including the last day) is also acceptable." are two."""
    also = _ALSO.search(gold)
    return [gold] if also is None else [gold[: also.start()], also["other"]]


def _answered(answer: str, gold: str, given: Mapping[str, Any]) -> EvaluationRecord:
    """By the length of the gold; what declines to answer does not count."""
    from heta_framework.common.text.matching import token_f1
    from heta_framework.common.text.normalise import tokens
    from heta_framework.common.text.refusal import answering_part

    told = answering_part(answer)
    if len(tokens(gold)) > SHORT:
        match = token_f1(told, gold)
        return EvaluationRecord(**given, value=match.value, reason=match.reason, audit={"rule": "token_f1"})
    parts = [part for part in _PARTS.split(gold) if part.strip()]
    missing = [part for part in parts if not _says(told, part)]
    right = not missing
    reason = (
        "contains the expected answer" if right else f"{len(missing)} of {len(parts)} parts missing: {missing[0]!r}"
    )
    return EvaluationRecord(**given, value=float(right), passed=right, reason=reason, audit={"rule": "contained"})


def _says(answer: str, part: str) -> bool:
    """Whether an answer contains a part of the gold and does not only deny it; an amount also in words."""
    from heta_framework.common.text.anchors import affirms, holds
    from heta_framework.common.text.clauses import clauses
    from heta_framework.common.text.gathered import is_short_number
    from heta_framework.common.text.matching import contains
    from heta_framework.common.text.numeric import numeric

    if affirms(answer, part) or (contains(answer, part).value == 1 and not holds(answer, part)):
        return True
    if _AMOUNT.fullmatch(part.strip()) is None and not is_short_number(part):
        return False
    spoken = [clause for clause in clauses(answer) if not holds(clause, part)]  # the others deny it
    return numeric("\n".join(spoken), part).value == 1

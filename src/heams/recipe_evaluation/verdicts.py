"""From the scores of a case to evaluation records: nothing that an evaluator owed is left out of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heams.evaluation.records import EvaluationRecord, Outcome
from heams.recipe_evaluation.compared import Compared
from heta_framework.evaluation.records.means import UNLABELLED_EVALUATORS
from heta_framework.evaluation.types import EvaluationCaseResult, EvaluationScore
from heta_framework.evaluation.types.json_safe import json_safe

STEP = 0
"""A case is one question, and so one step."""
_LONGEST_LIST = 20
_LONGEST_TEXT = 2_000
_NO_LABEL = "the case has no label for this measure"
_SAID_ELSEWHERE = frozenset({"skipped", "reason", "usage"})
_ABOUT_DOCUMENTS = ("matched_documents", "matched_reference_ids", "matched")


@dataclass(slots=True)
class Verdicts:
    """Makes the records of one query mode; ``evaluators`` are the names of those that scored it, in their order.

    A measure is called like its score. What a failed evaluator would have called it is known from the cases before;
    until then it is the evaluator's own name.
    """

    evaluators: Sequence[str]
    _measures: dict[str, str] = field(default_factory=dict)

    def of(
        self, compared: Compared, result: EvaluationCaseResult, tags: Mapping[str, str]
    ) -> tuple[EvaluationRecord, ...]:
        """A record for each evaluator."""
        if result.error is not None:
            return tuple(self._of_failed_query(result, tags))
        return tuple(self._of_scores(compared, result, tags))

    def _of_failed_query(self, result: EvaluationCaseResult, tags: Mapping[str, str]) -> Iterator[EvaluationRecord]:
        reason = f"the query failed: {result.error.error_type}" if result.error is not None else ""
        unlabelled = result.metadata.get(UNLABELLED_EVALUATORS) or ()
        for evaluator in self.evaluators:
            if evaluator in unlabelled:
                yield self._missing(evaluator, "unscored", _NO_LABEL, tags)
            else:
                yield self._missing(evaluator, "error", reason, tags)

    def _of_scores(
        self, compared: Compared, result: EvaluationCaseResult, tags: Mapping[str, str]
    ) -> Iterator[EvaluationRecord]:
        """The first record about documents tells at which ranks they were found; it is the same for all of them."""
        failed = result.metadata.get("evaluator_errors") or {}
        scores = iter(result.scores)
        placed = False
        for evaluator in self.evaluators:
            if evaluator in failed:
                yield self._missing(evaluator, "error", _words_of(failed[evaluator]), tags)
                continue
            score = next(scores, None)
            if score is None:
                continue
            self._measures[evaluator] = score.name
            if _is_about_documents(score):
                yield _of_documents(score, compared, tags, placed=placed)
                placed = True
            else:
                yield _of_answer(score, compared, tags)

    def _missing(self, evaluator: str, outcome: Outcome, reason: str, tags: Mapping[str, str]) -> EvaluationRecord:
        measure = self._measures.get(evaluator, evaluator)
        return EvaluationRecord(
            evaluator=_family(measure), metric=measure, outcome=outcome, step_index=STEP, reason=reason, tags=tags
        )


def _of_documents(
    score: EvaluationScore, compared: Compared, tags: Mapping[str, str], *, placed: bool
) -> EvaluationRecord:
    audit = _audit(score) if placed else {**_audit(score), "ranks": dict(compared.ranks)}
    observed = ": ".join(filter(None, [_labels_found(score), compared.found_documents])) or None
    return _scored(score, tags, expected=compared.expected_documents, observed=observed, audit=audit)


def _labels_found(score: EvaluationScore) -> str:
    """How many labels were found, where some were not: a document may be found without the text that is labelled."""
    matched, expected = score.metadata.get("matched"), score.metadata.get("expected")
    if not isinstance(matched, int) or not isinstance(expected, int) or matched >= expected:
        return ""
    return f"{matched:,} of {expected:,} labels"


def _of_answer(score: EvaluationScore, compared: Compared, tags: Mapping[str, str]) -> EvaluationRecord:
    observed = score.value if isinstance(score.value, str) else compared.answer
    return _scored(score, tags, expected=compared.expected_answers, observed=observed, audit=_audit(score))


def _scored(
    score: EvaluationScore,
    tags: Mapping[str, str],
    *,
    expected: str | None,
    observed: str | None,
    audit: Mapping[str, Any],
) -> EvaluationRecord:
    value = None if score.is_unlabelled else score.number
    return EvaluationRecord(
        evaluator=_family(score.name),
        metric=score.name,
        outcome="unscored" if value is None else "scored",
        value=value,
        passed=None if value is None else score.passed,
        step_index=STEP,
        expected=expected,
        observed=observed,
        reason=_reason(score),
        tags=tags,
        audit=audit,
    )


def _family(measure: str) -> str:
    """The measure without its cut: ``beir_ndcg`` of ``beir_ndcg@10``."""
    return measure.partition("@")[0]


def _is_about_documents(score: EvaluationScore) -> bool:
    return not score.is_unlabelled and any(name in score.metadata for name in _ABOUT_DOCUMENTS)


def _reason(score: EvaluationScore) -> str:
    said = score.metadata.get("reason")
    if isinstance(said, str) and said:
        return said
    if score.is_unlabelled:
        return _NO_LABEL
    return "a text, which is in no mean" if score.number is None else ""


def _audit(score: EvaluationScore) -> dict[str, Any]:
    """What explains a score and is said nowhere else in its record."""
    return {str(name): _bounded(value) for name, value in score.metadata.items() if name not in _SAID_ELSEWHERE}


def _bounded(value: Any) -> Any:
    """A value that explains a score; a long one by its beginning, since the whole is in the evaluation's own files."""
    safe = json_safe(value)
    if isinstance(safe, str) and len(safe) > _LONGEST_TEXT:
        return f"{safe[:_LONGEST_TEXT]} ... ({len(safe):,} characters)"
    if isinstance(safe, list) and len(safe) > _LONGEST_LIST:
        return [*safe[:_LONGEST_LIST], f"... and {len(safe) - _LONGEST_LIST:,} more"]
    return safe


def _words_of(failure: Any) -> str:
    if isinstance(failure, Mapping):
        return f"{failure.get('type', 'Error')}: {failure.get('message', '')}"
    return str(failure)

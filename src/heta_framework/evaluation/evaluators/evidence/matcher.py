"""Whether a result is the evidence that a label means, by the labels that it carries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from heta_framework.evaluation.evaluators.evidence.locators import is_there, says_where
from heta_framework.evaluation.evaluators.evidence.places import Place, places_of
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkEvidence
from heta_framework.evaluation.types.fields import chosen
from heta_framework.kb.search.types import QueryResult

MatchRule = Literal["first", "all", "any"]

_LONGEST_QUOTE = 120


class PlacedResult:
    """A result whose places are found out once, when a label first asks for them."""

    def __init__(self, result: QueryResult) -> None:
        self.result = result

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Where it comes from."""
        return places_of(self.result)


@dataclass(frozen=True)
class EvidenceMatcher:
    """Compares evidence labels with results.

    Args:
        rule: of the labels that an evidence carries, in the order locator, reference_id, text, the ``first`` decides,
            ``all`` must hold of the same result, or ``any`` suffices.
        text_coverage: the share of a label's text that a result must say, in (0, 1]; see `wording`.

    Raises:
        ValueError: one of them is something else.
    """

    rule: MatchRule = "first"
    text_coverage: float = 1.0

    def __post_init__(self) -> None:
        chosen("match", self.rule, get_args(MatchRule))
        if not 0 < self.text_coverage <= 1:
            raise ValueError(f"text_coverage must be above 0 and at most 1, found {self.text_coverage!r}")

    def matches(self, evidence: BenchmarkEvidence, result: PlacedResult) -> bool:
        """Whether the result is what the evidence means."""
        verdicts = self._verdicts(evidence, result)
        if self.rule == "first":
            return next(verdicts)
        return all(verdicts) if self.rule == "all" else any(verdicts)

    def _verdicts(self, evidence: BenchmarkEvidence, result: PlacedResult) -> Iterator[bool]:
        """What each label that the evidence carries says, in the documented order."""
        if says_where(evidence.locator):
            yield any(is_there(evidence.locator, place) for place in result.places)
        if evidence.reference_id is not None:
            yield any(evidence.reference_id in place.ids for place in result.places)
        if evidence.text is not None:
            from heta_framework.evaluation.evaluators.evidence.wording import says

            yield says(result.result.text, evidence.text, self.text_coverage)


def usable_evidence(case: BenchmarkCase) -> tuple[BenchmarkEvidence, ...]:
    """The evidence that should be found.

    Left out are what carries no label (a locator that holds only None) and what was judged not to be relevant
    (``metadata["relevance"]`` of 0 or less).
    """
    return tuple(one for one in case.expected.evidence if _is_labelled(one) and _is_relevant(one))


def _is_labelled(evidence: BenchmarkEvidence) -> bool:
    return evidence.reference_id is not None or evidence.text is not None or says_where(evidence.locator)


def _is_relevant(evidence: BenchmarkEvidence) -> bool:
    relevance = evidence.metadata.get("relevance")
    return not isinstance(relevance, int | float) or relevance > 0


def described(evidence: BenchmarkEvidence) -> dict[str, Any]:
    """The labels of an evidence, for people who look for what is missing; a long text is cut."""
    text = evidence.text
    if text is not None and len(text) > _LONGEST_QUOTE:
        text = f"{text[: _LONGEST_QUOTE - 1]}…"
    labels = {"reference_id": evidence.reference_id, "locator": dict(evidence.locator) or None, "text": text}
    return {name: label for name, label in labels.items() if label is not None}

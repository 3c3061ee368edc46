"""What all evaluators share that compare ``response.answer`` with ``case.expected.answers``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from heta_framework.common.text.overlap import Overlap
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.kb.search.types import QueryResponse


class AnswerEvaluator(ABC):
    """Compares an answer with the expected answers, each of which is right by itself.

    A case without expected answers is unlabelled. A response without an answer is compared as the empty text.
    """

    required_top_k: ClassVar[int] = 0
    counts_documents: ClassVar[bool] = False
    unlabelled_value: ClassVar[float | bool] = 0.0

    @property
    @abstractmethod
    def name(self) -> str:
        """Of the score."""

    @abstractmethod
    def compare(self, answer: str, expected: Sequence[str]) -> EvaluationScore:
        """The verdict on an answer; there is at least one expected answer."""

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case has expected answers."""
        return bool(case.expected.answers)

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """Compare the response's answer with those that the case expects."""
        if not self.is_labelled(case):
            return unlabelled(self.name, "case has no expected answers", self.unlabelled_value)
        return self.compare(response.answer or "", case.expected.answers)


class AnswerMatchEvaluator(AnswerEvaluator):
    """An answer matches or it does not: the value is a yes or no."""

    unlabelled_value: ClassVar[float | bool] = False

    @abstractmethod
    def matching(self, answer: str, expected: Sequence[str]) -> list[str]:
        """The expected answers that the answer matches."""

    def compare(self, answer: str, expected: Sequence[str]) -> EvaluationScore:
        """True where one of them matches."""
        matched = self.matching(answer, expected)
        return EvaluationScore(self.name, bool(matched), bool(matched), {"matched_answers": matched})


class AnswerOverlapEvaluator(AnswerEvaluator):
    """An answer matches to some degree: the value is the best F1 over the expected answers."""

    @abstractmethod
    def overlap(self, answer: str, expected: str) -> Overlap:
        """How much they have in common."""

    def compare(self, answer: str, expected: Sequence[str]) -> EvaluationScore:
        """The F1 with the expected answer that fits best, the first of equals."""
        found = [self.overlap(answer, one) for one in expected]
        place, best = max(enumerate(found), key=lambda one: one[1].f1)
        metadata = {"best_answer": expected[place], "precision": best.precision, "recall": best.recall}
        return EvaluationScore(self.name, best.f1, metadata=metadata)

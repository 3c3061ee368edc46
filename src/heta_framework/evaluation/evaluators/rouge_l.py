"""`RougeL`: how much of an expected answer the answer says in the same order."""

from __future__ import annotations

from dataclasses import dataclass

from heta_framework.common.text.overlap import Overlap
from heta_framework.evaluation.evaluators.answer_evaluator import AnswerOverlapEvaluator


@dataclass(frozen=True)
class RougeL(AnswerOverlapEvaluator):
    """ROUGE-L F1 (Lin 2004) in [0, 1]; the best over the expected answers.

    Precision and recall of the longest common subsequence of words, weighed equally; words are in lower case and not
    stemmed (see `heta_framework.common.text.rouge`). For long answers; short ones are better compared by `TokenF1`.
    """

    @property
    def name(self) -> str:
        """``rouge_l``."""
        return "rouge_l"

    def overlap(self, answer: str, expected: str) -> Overlap:
        """Precision, recall and F1."""
        from heta_framework.common.text.rouge import rouge_l

        return rouge_l(answer, expected)

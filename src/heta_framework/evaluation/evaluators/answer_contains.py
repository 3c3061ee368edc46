"""`AnswerContains`: does the answer say one of the expected answers?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heta_framework.evaluation.evaluators.answer_evaluator import AnswerMatchEvaluator


@dataclass(frozen=True)
class AnswerContains(AnswerMatchEvaluator):
    """Whether an expected answer stands in the answer as whole words, in a row.

    Case, punctuation, articles and the spelling of numbers do not count (see `heta_framework.common.text.normalise`).
    "no" is not in "I do not know", "1" not in "2010". What declines to answer is no answer: neither "no" nor "Paris" is
    found in "There is no information on whether it was Paris" — unless the expected answer itself declines ("not
    mentioned").

    The value is True or False; ``matched_answers`` in the metadata lists the expected answers that were found.
    """

    @property
    def name(self) -> str:
        """``answer_contains``."""
        return "answer_contains"

    def matching(self, answer: str, expected: Sequence[str]) -> list[str]:
        """The expected answers that are in the answer."""
        from heta_framework.common.text.matching import contains
        from heta_framework.common.text.refusal import answering_part, refuses

        found = [one for one in expected if contains(answer, one).value]
        if not found or not refuses(answer):
            return found
        answered = answering_part(answer)
        return [one for one in found if refuses(one) or contains(answered, one).value]

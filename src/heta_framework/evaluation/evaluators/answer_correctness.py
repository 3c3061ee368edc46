"""`AnswerCorrectness`: is the answer right, as a language model judges it?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from heta_framework.common.judge import JudgePolicy
from heta_framework.evaluation.evaluators.judged.evaluator import JudgedEvaluator
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class AnswerCorrectness(JudgedEvaluator):
    """Whether the answer says what one of the expected answers says, in whatever words.

    The value is what the policy's verdict is worth: under ``strict`` (right and complete) and ``lenient`` (right in
    substance) 1 or 0. A policy of one's own may show ``{question}``, ``{expected}`` and ``{answer}``.

    A case without expected answers is unlabelled. A response without an answer is wrong, and no model is asked.
    """

    shows: ClassVar[tuple[str, ...]] = ("question", "expected", "answer")

    policy: str | JudgePolicy = field(default="strict", repr=False)
    name: str = "answer_correctness"

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case has expected answers."""
        return bool(case.expected.answers)

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """Ask whether the response's answer is right."""
        if not self.is_labelled(case):
            return unlabelled(self.name, "case has no expected answers")
        if response.answer is None:
            return EvaluationScore(self.name, 0.0, False, {"reason": "the response has no answer"})
        expected = case.expected.answers
        material = {
            "question": case.query,
            "expected": expected[0] if len(expected) == 1 else expected,
            "answer": response.answer,
        }
        return await self.ask(material)

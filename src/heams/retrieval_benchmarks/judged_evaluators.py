"""Evaluators that ask a language model or a panel of them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from heams.evaluation.llm_judge_config import PolicyChoice
from heams.retrieval_benchmarks.evaluator_settings import EvaluatorSettings, Made
from heta_framework.common.config import WholeNumber
from heta_framework.common.judge import Tie
from heta_framework.common.models.settings import LanguageModelConfig


class _Judged(EvaluatorSettings):
    asks_models: ClassVar[bool] = True

    judges: tuple[LanguageModelConfig, ...] = Field(min_length=1)
    votes: WholeNumber = Field(default=1, ge=1, le=99)
    tie: Tie = "unscored"
    reminders: WholeNumber = Field(default=2, ge=0, le=9)

    def _settings(self) -> dict[str, Any]:
        from heta_framework.common.models.language.opening import open_language_model

        return {
            "models": tuple(open_language_model(judge, role="judge") for judge in self.judges),
            "votes": self.votes,
            "tie": self.tie,
            "reminders": self.reminders,
        }


class AnswerCorrectnessChoice(_Judged):
    """Whether the answer says what an expected answer says, as language models judge it."""

    type: Literal["answer_correctness"] = "answer_correctness"
    policy: PolicyChoice = "strict"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import AnswerCorrectness

        return (AnswerCorrectness(policy=self.policy, **self._settings()),)


class FaithfulnessChoice(_Judged):
    """The share of the answer's claims that its sources support, as language models judge it."""

    type: Literal["faithfulness"] = "faithfulness"
    policy: PolicyChoice = "grounded"
    sources: Literal["results", "citations"] = "results"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import Faithfulness

        return (Faithfulness(policy=self.policy, sources=self.sources, **self._settings()),)

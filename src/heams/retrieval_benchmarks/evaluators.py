"""The evaluators of ``heta_framework.evaluation`` as a configuration names them, told apart by ``type``."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from heams.retrieval_benchmarks.evaluator_settings import EvaluatorSettings, Made
from heams.retrieval_benchmarks.judged_evaluators import AnswerCorrectnessChoice, FaithfulnessChoice
from heta_framework.common.config import Number, WholeNumber

MatchRule = Literal["first", "all", "any"]
CutOff = Annotated[WholeNumber, Field(ge=1)]


class BeirRetrievalChoice(EvaluatorSettings):
    """Retrieval metrics over documents as BEIR and trec_eval compute them, each of ``metrics`` at each ``k``.

    ``gain: exponential`` is another nDCG, under a name of its own.
    """

    type: Literal["beir_retrieval"] = "beir_retrieval"
    metrics: tuple[Literal["ndcg", "map", "recall", "precision", "mrr"], ...] = Field(
        default=("ndcg", "map", "recall", "precision", "mrr"), min_length=1
    )
    k: tuple[CutOff, ...] = Field(default=(1, 3, 5, 10, 100), min_length=1)
    gain: Literal["linear", "exponential"] = "linear"

    @model_validator(mode="after")
    def _gain_of_ndcg(self) -> Self:
        if self.gain != "linear" and set(self.metrics) != {"ndcg"}:
            raise ValueError("'gain' is a setting of ndcg: name the other metrics in an entry of their own")
        return self

    def make(self) -> Made:
        """The evaluators."""
        from heta_framework.evaluation.evaluators import BeirRetrievalMetric

        return tuple(
            BeirRetrievalMetric(metric=metric, k=k, gain=self.gain)
            for metric in dict.fromkeys(self.metrics)
            for k in dict.fromkeys(self.k)
        )


class EvidenceRecallChoice(EvaluatorSettings):
    """The share of the labelled evidence that the first results hold, at each ``k``."""

    type: Literal["evidence_recall"] = "evidence_recall"
    k: tuple[CutOff, ...] = Field(default=(5,), min_length=1)
    match: MatchRule = "first"
    text_coverage: Number = Field(default=1.0, gt=0, le=1)

    def make(self) -> Made:
        """The evaluators."""
        from heta_framework.evaluation.evaluators import EvidenceRecallAtK

        return tuple(
            EvidenceRecallAtK(k=k, match=self.match, text_coverage=self.text_coverage) for k in dict.fromkeys(self.k)
        )


class AnswerContainsChoice(EvaluatorSettings):
    """Whether the answer says an expected answer."""

    type: Literal["answer_contains"] = "answer_contains"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import AnswerContains

        return (AnswerContains(),)


class AnswerExactMatchChoice(EvaluatorSettings):
    """Whether the answer is an expected answer."""

    type: Literal["answer_exact_match"] = "answer_exact_match"
    rules: Literal["plain", "normalised", "squad"] = "plain"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import AnswerExactMatch

        return (AnswerExactMatch(rules=self.rules),)


class TokenF1Choice(EvaluatorSettings):
    """How many words the answer shares with an expected answer."""

    type: Literal["token_f1"] = "token_f1"
    rules: Literal["squad", "normalised"] = "squad"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import TokenF1

        return (TokenF1(rules=self.rules),)


class RougeLChoice(EvaluatorSettings):
    """How much of an expected answer the answer says in the same order."""

    type: Literal["rouge_l"] = "rouge_l"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import RougeL

        return (RougeL(),)


class NumericMatchChoice(EvaluatorSettings):
    """Whether the answer's number is the expected one, within a tolerance."""

    type: Literal["numeric_match"] = "numeric_match"
    rel_tol: Number = Field(default=1e-9, ge=0)
    abs_tol: Number = Field(default=0.0, ge=0)
    which: Literal["last", "first", "only"] = "last"
    scales: tuple[Annotated[Number, Field(gt=0)], ...] = ()

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import NumericMatch

        return (NumericMatch(self.rel_tol, self.abs_tol, self.which, self.scales),)


class _Citations(EvaluatorSettings):
    match: MatchRule = "first"
    text_coverage: Number = Field(default=1.0, gt=0, le=1)


class CitationPrecisionChoice(_Citations):
    """How much of what the answer cites is evidence."""

    type: Literal["citation_precision"] = "citation_precision"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import CitationPrecision

        return (CitationPrecision(match=self.match, text_coverage=self.text_coverage),)


class CitationRecallChoice(_Citations):
    """How much of the evidence the answer cites."""

    type: Literal["citation_recall"] = "citation_recall"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import CitationRecall

        return (CitationRecall(match=self.match, text_coverage=self.text_coverage),)


class AbstentionChoice(EvaluatorSettings):
    """Whether questions that nothing answers are declined, and others are not.

    ``cases`` are those that count; ``silence`` is what a response without an answer means.
    """

    type: Literal["abstention"] = "abstention"
    cases: Literal["unanswerable", "answerable", "all"] = "unanswerable"
    silence: Literal["unscored", "declines"] = "unscored"

    def make(self) -> Made:
        """The evaluator."""
        from heta_framework.evaluation.evaluators import Abstention

        return (Abstention(self.cases, self.silence),)


EvaluatorChoice = Annotated[
    BeirRetrievalChoice
    | EvidenceRecallChoice
    | AnswerContainsChoice
    | AnswerExactMatchChoice
    | TokenF1Choice
    | RougeLChoice
    | NumericMatchChoice
    | CitationPrecisionChoice
    | CitationRecallChoice
    | AbstentionChoice
    | AnswerCorrectnessChoice
    | FaithfulnessChoice,
    Field(discriminator="type"),
]

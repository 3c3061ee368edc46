"""`Faithfulness`: does the answer say only what its sources say, as a language model judges it?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from heta_framework.common.judge import Judgement, JudgePolicy
from heta_framework.evaluation.evaluators.judged.evaluator import JudgedEvaluator
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.evaluation.types.fields import chosen
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class Faithfulness(JudgedEvaluator):
    """The share of the answer's claims that its sources support, in [0, 1]; it passes when all of them are supported.

    The idea is that of Es et al. 2023 (RAGAS, arXiv 2309.15217); the judge lists the claims and decides on each in one
    reply. Whether the answer is right is not asked: what a wrong source says is faithful.

    No label is needed. A response without an answer, an answer that only declines, and one in which the judge finds no
    claim are left out of the mean. A policy of one's own may show ``{question}``, ``{sources}`` and ``{answer}``.

    Args:
        sources: what counts as the answer's sources: the texts of the ``results``, or of the ``citations`` alone.
    """

    shows: ClassVar[tuple[str, ...]] = ("question", "sources", "answer")

    policy: str | JudgePolicy = field(default="grounded", repr=False)
    name: str = "faithfulness"
    sources: Literal["results", "citations"] = "results"

    def __post_init__(self) -> None:
        chosen("sources", self.sources, ("results", "citations"))
        super().__post_init__()

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Always: it needs no label."""
        return True

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """Ask whether the response's answer is supported by its sources."""
        from heta_framework.common.text.refusal import answering_part

        if response.answer is None:
            return unlabelled(self.name, "the response has no answer")
        if not answering_part(response.answer).strip():
            return unlabelled(self.name, "the answer declines and claims nothing")
        material = {"question": case.query, "sources": self._texts(response), "answer": response.answer}
        return await self.ask(material)

    def passed(self, judgement: Judgement) -> bool | None:
        """Whether every claim is supported."""
        return judgement.value == 1.0

    def _texts(self, response: QueryResponse) -> tuple[str, ...]:
        if self.sources == "results":
            return tuple(dict.fromkeys(result.text for result in response.results))
        from heta_framework.evaluation.evaluators.evidence.citations import cited_results

        return tuple(dict.fromkeys(one.result.text for one in cited_results(response)))

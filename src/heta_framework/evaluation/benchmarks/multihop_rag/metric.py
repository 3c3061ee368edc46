"""The retrieval metrics of the MultiHop-RAG paper: a result is relevant where a fact's text stands in it.

Definitions: Tang and Yang 2024 (arXiv 2401.15391, section 4.1) and the script ``retrieval_evaluate.py`` of
https://github.com/yixuantt/MultiHop-RAG. The script lets an eleventh result add to its MAP@10; here the first ``k``
count, as the name says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from heta_framework.common.stores.fields import positive
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.evaluation.types.fields import chosen
from heta_framework.kb.search.types import QueryResponse

MultiHopRagMetricName = Literal["hits", "map", "mrr"]

_SPACES = str.maketrans("", "", " \n")


@dataclass(frozen=True)
class MultiHopRagMetric:
    """One metric over the first ``k`` results, in [0, 1].

    Spaces and line breaks do not count when a fact is looked for in a result. A question without facts, as the
    ``null_query`` ones are, is unlabelled.

    Args:
        metric: ``hits`` (1 where any result holds a fact), ``mrr`` (1 / rank of the first that does) or ``map`` (each
            result adds the facts that none before it held / its rank; divided by all facts, at most ``k``).
        k: how many results count, at least 1.

    Raises:
        ValueError: another metric, or a ``k`` below 1.
    """

    counts_documents: ClassVar[bool] = False

    metric: MultiHopRagMetricName
    k: int = 10

    def __post_init__(self) -> None:
        chosen("metric", self.metric, get_args(MultiHopRagMetricName))
        positive("k", self.k)

    @property
    def name(self) -> str:
        """``multihop_rag_{metric}@{k}``."""
        return f"multihop_rag_{self.metric}@{self.k}"

    @property
    def required_top_k(self) -> int:
        """``k``."""
        return self.k

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case has a fact."""
        return bool(_facts(case))

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """The value; its metadata say at which ranks a fact was found."""
        facts = _facts(case)
        if not facts:
            return EvaluationScore(self.name, 0.0, metadata={"skipped": True, "reason": "case has no facts"})
        found = _found_at(facts, [result.text for result in response.results[: self.k]])
        ranks = [rank for rank, held in enumerate(found, start=1) if held]
        metadata: dict[str, Any] = {"ranks": ranks, "facts": len(facts)}
        return EvaluationScore(self.name, self._value(found, ranks, len(facts)), metadata=metadata)

    def _value(self, found: Sequence[frozenset[int]], ranks: Sequence[int], facts: int) -> float:
        if self.metric == "hits":
            return float(bool(ranks))
        if self.metric == "mrr":
            return 1 / ranks[0] if ranks else 0.0
        seen: set[int] = set()
        total = 0.0
        for rank, held in enumerate(found, start=1):
            total += len(held - seen) / rank
            seen |= held
        return total / min(facts, self.k)


def multihop_rag_default_metrics() -> tuple[MultiHopRagMetric, ...]:
    """Those of the paper's tables: MRR@10, MAP@10, Hits@10 and Hits@4."""
    return (
        MultiHopRagMetric("mrr", 10),
        MultiHopRagMetric("map", 10),
        MultiHopRagMetric("hits", 10),
        MultiHopRagMetric("hits", 4),
    )


def _facts(case: BenchmarkCase) -> list[str]:
    texts = [evidence.text.translate(_SPACES) for evidence in case.expected.evidence if evidence.text]
    return [text for text in texts if text]


def _found_at(facts: Sequence[str], texts: Sequence[str]) -> list[frozenset[int]]:
    """For each result, which facts it holds."""
    plain = [text.translate(_SPACES) for text in texts]
    return [frozenset(index for index, fact in enumerate(facts) if fact in text) for text in plain]

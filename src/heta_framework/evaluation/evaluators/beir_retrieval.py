"""Retrieval metrics over documents, as BEIR reports them: trec_eval's values, bit for bit.

BEIR (Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models", NeurIPS
2021 Datasets and Benchmarks) labels documents and scores with pytrec_eval. Results are chunks: a document's score is
its best chunk's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.trec.judged_responses import judged_response
from heta_framework.evaluation.trec.judging import RELEVANCE_LEVEL
from heta_framework.evaluation.trec.labels import labels_of
from heta_framework.evaluation.trec.measures import DEFAULT_CUTOFFS, METRICS
from heta_framework.evaluation.types.case import BenchmarkCase
from heta_framework.evaluation.types.fields import chosen
from heta_framework.evaluation.types.score import EvaluationScore
from heta_framework.kb.search.types import QueryResponse

__all__ = ["BeirGain", "BeirMetricName", "BeirRetrievalMetric", "beir_default_metrics"]

BeirMetricName = Literal["ndcg", "map", "recall", "precision", "mrr"]
BeirGain = Literal["linear", "exponential"]


@dataclass(frozen=True)
class BeirRetrievalMetric:
    """One metric over the first `k` documents of a response.

    Labels are the evidence of the case that has a ``reference_id``; its ``metadata["relevance"]`` is the label, 1
    unless given. From 1 on a document is relevant. A case without any relevant document has no score for this metric.

    Attributes:
        metric: ``ndcg``, ``map`` (divided by all relevant documents), ``recall``, ``precision`` or ``mrr``.
        k: how many documents count, at least 1.
        gain: of ``ndcg``: ``linear`` as trec_eval, or ``exponential`` (2^label - 1), which is another measure where
            labels are graded and so has another name.
        counts_documents: ``k`` counts documents: a runner asks for more chunks to fill it.

    Raises:
        ValueError: another metric or gain, or a `k` below 1.
    """

    metric: BeirMetricName
    k: int = 10
    gain: BeirGain = "linear"

    counts_documents = True

    def __post_init__(self) -> None:
        chosen("metric", self.metric, get_args(BeirMetricName))
        chosen("gain", self.gain, get_args(BeirGain))
        if isinstance(self.k, bool) or not isinstance(self.k, int):
            raise TypeError(f"k must be a whole number; found {self.k!r}")
        if self.k < 1:
            raise ValueError(f"k must be greater than zero; found {self.k}")
        if self.gain != "linear" and self.metric != "ndcg":
            raise ValueError(f"gain is a setting of ndcg alone; found metric {self.metric!r}")

    @cached_property
    def name(self) -> str:
        """``beir_{metric}@{k}``; ``beir_ndcg_exponential@{k}`` with the other gain."""
        return f"beir_{self._measure}@{self.k}"

    @property
    def required_top_k(self) -> int:
        """How many documents it looks at."""
        return self.k

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case names a relevant document."""
        return any(level >= RELEVANCE_LEVEL for level in labels_of(case).values())

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """The value in [0, 1]; its metadata counts the relevant and the retrieved documents and names the matched."""
        judged = judged_response(case, response)
        if not judged.ranking.ideal:
            return unlabelled(self.name, _why_unlabelled(case))
        value = METRICS[self._measure](judged.ranking, self.k)
        return EvaluationScore(self.name, value, None, judged.details(self.k))

    @cached_property
    def _measure(self) -> str:
        return self.metric if self.gain == "linear" else f"{self.metric}_{self.gain}"


def beir_default_metrics(*, k_values: Iterable[int] = DEFAULT_CUTOFFS) -> tuple[BeirRetrievalMetric, ...]:
    """nDCG, MAP, recall, precision and MRR, each at every cut-off, in this order; a cut-off given twice counts once."""
    cutoffs = tuple(dict.fromkeys(k_values))
    return tuple(BeirRetrievalMetric(metric, k) for metric in get_args(BeirMetricName) for k in cutoffs)


def _why_unlabelled(case: BenchmarkCase) -> str:
    labels = len(labels_of(case))
    if labels == 0:
        return "case has no BEIR qrels"
    return f"case has no positive BEIR qrels: {'its label is' if labels == 1 else f'all {labels} labels are'} below 1"

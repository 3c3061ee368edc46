"""``multihop_rag``: questions that need several news articles."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import model_validator

from heams.benchmarks.info import BenchmarkInfo
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.info import retrieval_info

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkProtocol
    from heta_framework.evaluation.types import BenchmarkResource


class MultiHopRagBenchmarkConfig(RetrievalBenchmarkConfig):
    """MultiHop-RAG: questions whose evidence stands in several news articles.

    ``corpus_path`` and ``queries_path`` are ``corpus.json`` and ``MultiHopRAG.json``; without them both are downloaded.
    """

    type: Literal["multihop_rag"] = "multihop_rag"
    report_info: ClassVar[BenchmarkInfo] = retrieval_info(
        "MultiHop-RAG",
        20,
        criterion="question_type",
        headline=("multihop_rag_hits@4", "multihop_rag_hits@10", "multihop_rag_mrr@10", "answer_contains"),
    )

    corpus_path: Path | None = None
    queries_path: Path | None = None

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.corpus_path is None) != (self.queries_path is None):
            raise ValueError("give both corpus_path and queries_path, or none of them to download both")
        return self

    def make(self, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
        """The benchmark."""
        from heta_framework.evaluation.benchmarks import MultiHopRagBenchmark

        return MultiHopRagBenchmark(
            corpus_path=self.corpus_path,
            queries_path=self.queries_path,
            download=self.corpus_path is None,
            accept_licence=accept_licence,
        )

    def downloads(self, benchmark: BenchmarkProtocol) -> Iterable[BenchmarkResource]:
        """Both files, unless their paths are given."""
        return benchmark.resources() if self.corpus_path is None else ()

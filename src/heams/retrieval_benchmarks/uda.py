"""``uda``: questions about one long document each, as PDF or HTML."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from heams.benchmarks.info import BenchmarkInfo
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.info import retrieval_info

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkProtocol
    from heta_framework.evaluation.types import BenchmarkResource


class UdaBenchmarkConfig(RetrievalBenchmarkConfig):
    """UDA: questions about one report, paper or article each; every document is a knowledge base of its own.

    ``source_root`` is the folder of the documents, ``qa_path`` and ``extended_info_path`` are the subset's questions
    and its evidence; what is not given is downloaded.
    """

    type: Literal["uda"] = "uda"
    report_info: ClassVar[BenchmarkInfo] = retrieval_info(
        "UDA",
        30,
        headline=("answer_contains", "numeric_match", "token_f1", "rouge_l", "evidence_recall@5"),
        detail="subset",
    )
    not_data: ClassVar[frozenset[str]] = frozenset({"source_root"})

    subset: Literal["fin", "tat", "paper_tab", "paper_text", "feta", "nq"]
    source_root: Path | None = None
    qa_path: Path | None = None
    extended_info_path: Path | None = None

    def make(self, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
        """The benchmark."""
        from heta_framework.evaluation.benchmarks import UdaBenchmark

        return UdaBenchmark(
            subset=self.subset,
            source_root=self.source_root,
            qa_path=self.qa_path,
            extended_info_path=self.extended_info_path,
            download_metadata=self.qa_path is None or self.extended_info_path is None,
            download_source_documents=self.source_root is None,
            accept_licence=accept_licence,
        )

    def downloads(self, benchmark: BenchmarkProtocol) -> Iterable[BenchmarkResource]:
        """Questions, evidence and documents, each unless its place is given."""
        given = (self.qa_path, self.extended_info_path, self.source_root)
        return [need for need, place in zip(benchmark.resources(), given, strict=True) if place is None]

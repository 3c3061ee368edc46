"""``jsonl``: documents and questions of one's own, as JSON Lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from heams.benchmarks.info import BenchmarkInfo
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.info import retrieval_info

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkProtocol


class JsonlBenchmarkConfig(RetrievalBenchmarkConfig):
    """Your own documents and questions, as two JSON Lines files.

    ``root_dir`` is the folder that ``path`` of a document is relative to; by default that of ``documents_jsonl``.
    """

    type: Literal["jsonl"] = "jsonl"
    report_info: ClassVar[BenchmarkInfo] = retrieval_info("Own documents", 90, criterion="kind", detail="name")
    not_data: ClassVar[frozenset[str]] = frozenset({"root_dir"})

    name: str = Field(min_length=1)
    version: str = Field(default="1", min_length=1)
    split: str = Field(default="test", min_length=1)
    task_type: str = Field(default="retrieval_qa", min_length=1)
    documents_jsonl: Path
    cases_jsonl: Path
    root_dir: Path | None = None

    def make(self, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
        """The benchmark."""
        from heta_framework.evaluation.benchmarks import JsonlBenchmark
        from heta_framework.evaluation.types import BenchmarkManifest

        return JsonlBenchmark(
            manifest=BenchmarkManifest(self.name, self.version, self.split, self.task_type),
            documents_jsonl=self.documents_jsonl,
            cases_jsonl=self.cases_jsonl,
            root_dir=self.root_dir,
        )

"""Your own benchmark: one file of documents, one of cases, one knowledge base."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from heta_framework.evaluation.benchmarks.jsonl.rows import read_cases, read_documents
from heta_framework.evaluation.benchmarks.streaming import streamed
from heta_framework.evaluation.evaluators import AnswerContains, EvidenceRecallAtK
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    PreparedBenchmark,
)
from heta_framework.evaluation.types.fields import put


@dataclass(frozen=True)
class JsonlBenchmark:
    """Documents and cases from two JSON Lines files; `heta_framework.evaluation.benchmarks.jsonl.rows` has the format.

    Rows are read when they are asked for. Whatever is wrong with one is a `DatasetFormatError`, a ``ValueError`` that
    names the file, the line and the field. Files that documents name by ``path`` must lie below ``root_dir``, wherever
    ``..`` and links lead.

    Args:
        manifest: the benchmark's identity.
        documents_jsonl: the file of documents.
        cases_jsonl: the file of cases.
        root_dir: what a document's ``path`` is relative to, and what ``file://`` addresses must lie below; by default
            the folder of ``documents_jsonl``.
        resources_value: what the benchmark tells of its origin.
        evaluator_list: how it is scored.
    """

    manifest: BenchmarkManifest
    documents_jsonl: Path
    cases_jsonl: Path
    root_dir: Path | None = None
    resources_value: tuple[BenchmarkResource, ...] = ()
    evaluator_list: tuple[BenchmarkEvaluatorProtocol, ...] = field(
        default_factory=lambda: (EvidenceRecallAtK(5), AnswerContains())
    )

    def __post_init__(self) -> None:
        put(self, documents_jsonl=Path(self.documents_jsonl), cases_jsonl=Path(self.cases_jsonl))
        put(self, root_dir=None if self.root_dir is None else Path(self.root_dir))
        put(self, resources_value=tuple(self.resources_value), evaluator_list=tuple(self.evaluator_list))

    def resources(self) -> tuple[BenchmarkResource, ...]:
        """``resources_value``."""
        return self.resources_value

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """``evaluator_list``."""
        return self.evaluator_list

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """Look whether both files are there; their rows are not read yet.

        Raises:
            FileNotFoundError: one is not.
        """
        for path in (self.documents_jsonl, self.cases_jsonl):
            if not path.is_file():
                raise FileNotFoundError(f"{self.manifest.name}: there is no file {path}")
        files = {"documents_jsonl": str(self.documents_jsonl), "cases_jsonl": str(self.cases_jsonl)}
        return PreparedBenchmark(self.manifest, self._root, self.resources_value, files)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """The documents, in the order of their file.

        Raises:
            DatasetFormatError: a row is not in the format.
        """
        async for document in streamed(read_documents(self.documents_jsonl, prepared.root_dir)):
            yield document

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The cases, in the order of their file.

        Raises:
            DatasetFormatError: a row is not in the format.
        """
        async for case in streamed(read_cases(self.cases_jsonl)):
            yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """One: ``corpus``, all documents and all cases."""
        yield BenchmarkRunUnit("corpus")

    @property
    def _root(self) -> Path:
        return self.documents_jsonl.parent if self.root_dir is None else self.root_dir

"""MultiHop-RAG as a benchmark."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from heta_framework.common.datasets.entries import MULTIHOP_RAG
from heta_framework.evaluation.benchmarks.multihop_rag import facts
from heta_framework.evaluation.benchmarks.multihop_rag.metric import multihop_rag_default_metrics
from heta_framework.evaluation.benchmarks.multihop_rag.rows import read_articles, read_questions
from heta_framework.evaluation.benchmarks.registered_files import registered_files, resource_of
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


def _default_evaluators() -> tuple[BenchmarkEvaluatorProtocol, ...]:
    return (EvidenceRecallAtK(5, match="all"), AnswerContains(), *multihop_rag_default_metrics())


@dataclass(frozen=True)
class MultiHopRagBenchmark:
    """Questions on 609 news articles; a fact of the evidence is found where its text stands in a result.

    Questions of the type ``null_query`` have no evidence and the answer "Insufficient information.": they are scored
    by their answer and left out of the means of retrieval.

    Args:
        corpus_path: the file ``corpus.json``; without it the file is found in the workspace's cache or the data cache.
        queries_path: the file ``MultiHopRAG.json``; likewise.
        download: whether files that are not there may be downloaded.
        evaluator_list: how it is scored; the evidence's recall at 5 (a result must come from the fact's article and
            hold its text), the answer, and the four metrics of the paper by default.
        accept_licence: given where the data's licence asks for it; ODC-By does not.
    """

    corpus_path: Path | None = None
    queries_path: Path | None = None
    download: bool = False
    evaluator_list: tuple[BenchmarkEvaluatorProtocol, ...] = field(default_factory=_default_evaluators)
    accept_licence: bool = False

    def __post_init__(self) -> None:
        put(self, corpus_path=None if self.corpus_path is None else Path(self.corpus_path))
        put(self, queries_path=None if self.queries_path is None else Path(self.queries_path))
        put(self, evaluator_list=tuple(self.evaluator_list))

    @property
    def manifest(self) -> BenchmarkManifest:
        """``multihop_rag``, version ``official``, split ``all``."""
        return BenchmarkManifest(
            name="multihop_rag",
            version="official",
            split="all",
            task_type="multi_hop_qa",
            homepage=facts.HOMEPAGE,
            license=MULTIHOP_RAG.licence.name,
            citation=facts.CITATION,
            metadata={"corpus_url": facts.MULTIHOP_RAG_CORPUS_URL, "queries_url": facts.MULTIHOP_RAG_QUERIES_URL},
        )

    def resources(self) -> tuple[BenchmarkResource, ...]:
        """The two files."""
        corpus, queries = MULTIHOP_RAG.files
        return (resource_of(MULTIHOP_RAG, corpus, name="corpus"), resource_of(MULTIHOP_RAG, queries, name="queries"))

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """``evaluator_list``."""
        return self.evaluator_list

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """Find or download the files.

        Raises:
            FileNotFoundError: one is missing, and must not be downloaded.
            DatasetError: one cannot be downloaded.
        """
        corpus, queries = await self._paths(workspace)
        for path in (corpus, queries):
            if not path.is_file():
                raise FileNotFoundError(f"MultiHop-RAG: there is no file {path}")
        paths = {"corpus_path": str(corpus), "queries_path": str(queries)}
        return PreparedBenchmark(self.manifest, corpus.parent, self.resources(), paths)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """The articles.

        Raises:
            DatasetFormatError: the file is not in the format.
        """
        async for document in streamed(read_articles(Path(prepared.metadata["corpus_path"]))):
            yield document

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The questions.

        Raises:
            DatasetFormatError: the file is not in the format.
        """
        async for case in streamed(read_questions(Path(prepared.metadata["queries_path"]), self.manifest)):
            yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """One: ``corpus``, all articles and all questions."""
        yield BenchmarkRunUnit("corpus")

    async def _paths(self, workspace: BenchmarkWorkspace) -> tuple[Path, Path]:
        if self.corpus_path is not None and self.queries_path is not None:
            return self.corpus_path, self.queries_path
        corpus, queries = await registered_files(
            MULTIHOP_RAG, workspace, download=self.download, accept_licence=self.accept_licence
        )
        return self.corpus_path or corpus, self.queries_path or queries

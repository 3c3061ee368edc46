"""A subset of UDA as a benchmark."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import anyio.to_thread

from heta_framework.common.config.url_secrets import without_secrets_in
from heta_framework.common.datasets import DatasetEntry, unpacked
from heta_framework.common.datasets.entries import uda_documents, uda_labels
from heta_framework.evaluation.benchmarks.registered_files import registered_files, require_web_address, resource_of
from heta_framework.evaluation.benchmarks.streaming import streamed
from heta_framework.evaluation.benchmarks.uda import facts
from heta_framework.evaluation.benchmarks.uda.cases import CaseContext, as_case
from heta_framework.evaluation.benchmarks.uda.documents import as_documents, find_documents, unit_ids
from heta_framework.evaluation.benchmarks.uda.extended import read_extended
from heta_framework.evaluation.benchmarks.uda.questions import read_questions
from heta_framework.evaluation.benchmarks.uda.scoring import default_evaluators
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
from heta_framework.evaluation.types.fields import chosen, put


@dataclass(frozen=True)
class UdaBenchmark:
    """Questions on whole documents; every document is a run unit with a knowledge base of its own.

    Evidence carries the document and a text. As there is one document in a knowledge base, only
    ``EvidenceRecallAtK(match="all")`` says more than that it was asked.

    Args:
        subset: ``fin``, ``tat``, ``paper_tab``, ``paper_text``, ``feta`` or ``nq``.
        source_root: a folder below which the documents are, named after ``doc_name``; PDF or HTML. Without it their
            archive is used: found in the workspace's cache or the data cache, else downloaded.
        qa_path: the questions, ``{subset}_qa.csv``; without it they are found or downloaded likewise.
        extended_info_path: what else is known, ``bench_{subset}_qa.json``; without it and with ``qa_path`` nothing is.
        download_metadata: whether questions may be downloaded.
        download_source_documents: whether documents may be downloaded; the archives have 330 MB to 2.4 GB.
        source_documents_url: another place of the same archives, below which they are at
            ``resolve/main/src_doc_files``.
        evaluator_list: how it is scored; by the measures of the subset by default.
        accept_licence: given where the data's licence asks for it; CC BY-SA does not.

    Raises:
        ValueError: there is no such subset, or the address is none of the web.
    """

    subset: facts.UdaSubset
    source_root: Path | None = None
    qa_path: Path | None = None
    extended_info_path: Path | None = None
    download_metadata: bool = True
    download_source_documents: bool = True
    source_documents_url: str = facts.UDA_SOURCE_DOCS_URL
    evaluator_list: tuple[BenchmarkEvaluatorProtocol, ...] | None = None
    accept_licence: bool = False

    def __post_init__(self) -> None:
        chosen("subset", self.subset, get_args(facts.UdaSubset))
        require_web_address("source_documents_url", self.source_documents_url)
        for name in ("source_root", "qa_path", "extended_info_path"):
            path = getattr(self, name)
            put(self, **{name: None if path is None else Path(path)})
        given = self.evaluator_list
        put(self, evaluator_list=default_evaluators(self.subset) if given is None else tuple(given))

    @property
    def manifest(self) -> BenchmarkManifest:
        """``uda_{subset}``, version ``official``, split ``all``, one knowledge base a document."""
        return BenchmarkManifest(
            name=f"uda_{self.subset}",
            version="official",
            split="all",
            task_type="document_qa",
            build_scope="case",
            homepage=facts.UDA_GITHUB_URL,
            license=facts.LICENCE,
            citation=facts.CITATION,
            metadata={
                "subset": self.subset,
                "qa_url": f"{facts.UDA_QA_BASE_URL}/{self.subset}_qa.csv",
                "extended_info_url": f"{facts.UDA_EXTENDED_BENCH_BASE_URL}/bench_{self.subset}_qa.json",
                "source_docs_url": without_secrets_in(self.source_documents_url),
            },
        )

    def resources(self) -> tuple[BenchmarkResource, ...]:
        """The questions, what else is known of them, and the documents."""
        labels, documents = uda_labels(self.subset), self._documents_entry
        questions, extended = labels.files
        folders = [facts.FOLDERS[self.subset]]
        return (
            resource_of(labels, questions, name=f"{self.subset}_qa"),
            resource_of(labels, extended, name=f"{self.subset}_extended_info_bench", required=False),
            resource_of(documents, documents.files[0], name="source_documents", kind="archive", subset_dirs=folders),
        )

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """``evaluator_list``."""
        return self.evaluator_list or ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """Find or download questions and documents, and look whether every question's document is there.

        Raises:
            FileNotFoundError: something is missing, and must not be downloaded.
            DatasetError: something cannot be downloaded or unpacked.
            DatasetFormatError: the questions are not in the format.
        """
        qa_path, extended_path = await self._labels(workspace)
        root = self.source_root or await self._documents(workspace)
        names = await anyio.to_thread.run_sync(self._names, qa_path)
        await anyio.to_thread.run_sync(find_documents, root, facts.FOLDERS[self.subset], names)
        metadata: dict[str, Any] = {
            "subset": self.subset,
            "qa_path": str(qa_path),
            "extended_info_path": None if extended_path is None else str(extended_path),
            "source_root": str(root),
        }
        return PreparedBenchmark(self.manifest, root, self.resources(), metadata)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """Each document that a question is about, in the order of the questions."""
        async for document in streamed(self._iterate_documents(prepared)):
            yield document

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The questions, each under its ``q_uid``."""
        async for case in streamed(self._iterate_cases(prepared)):
            yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """One a document, with the questions about it; its id is the document's."""
        async for unit in streamed(self._iterate_units(prepared)):
            yield unit

    def _iterate_documents(self, prepared: PreparedBenchmark) -> Iterator[BenchmarkDocument]:
        names = self._names(_qa_path(prepared))
        paths = find_documents(prepared.root_dir, facts.FOLDERS[self.subset], names)
        yield from as_documents(paths, prepared.root_dir, unit_ids(names), self.subset)

    def _iterate_cases(self, prepared: PreparedBenchmark) -> Iterator[BenchmarkCase]:
        path = prepared.metadata["extended_info_path"]
        extended = {} if path is None else read_extended(Path(path))
        ids = unit_ids(self._names(_qa_path(prepared)))
        context = CaseContext(self.manifest, self.subset, ids, extended)
        for question in read_questions(_qa_path(prepared), self.subset):
            yield as_case(question, context)

    def _iterate_units(self, prepared: PreparedBenchmark) -> Iterator[BenchmarkRunUnit]:
        cases: dict[str, list[str]] = {}
        for question in read_questions(_qa_path(prepared), self.subset):
            cases.setdefault(question.doc_name, []).append(question.q_uid)
        for name, unit_id in unit_ids(cases).items():
            origin = {"doc_name": name, "subset": self.subset}
            yield BenchmarkRunUnit(unit_id, (unit_id,), tuple(cases[name]), origin)

    def _names(self, qa_path: Path) -> list[str]:
        """The documents, each once, in the order of the questions."""
        return list(dict.fromkeys(question.doc_name for question in read_questions(qa_path, self.subset)))

    async def _labels(self, workspace: BenchmarkWorkspace) -> tuple[Path, Path | None]:
        if self.qa_path is not None:
            for path in (self.qa_path, self.extended_info_path):
                if path is not None and not path.is_file():
                    raise FileNotFoundError(f"UDA: there is no file {path}")
            return self.qa_path, self.extended_info_path
        questions, extended = await registered_files(
            uda_labels(self.subset), workspace, download=self.download_metadata, accept_licence=self.accept_licence
        )
        return questions, self.extended_info_path or extended

    async def _documents(self, workspace: BenchmarkWorkspace) -> Path:
        entry = self._documents_entry
        (archive,) = await registered_files(
            entry, workspace, download=self.download_source_documents, accept_licence=self.accept_licence
        )
        return await anyio.to_thread.run_sync(unpacked, archive, workspace.cache_dir / entry.name / "unpacked")

    @property
    def _documents_entry(self) -> DatasetEntry:
        entry = uda_documents(self.subset)
        if self.source_documents_url == facts.UDA_SOURCE_DOCS_URL:
            return entry
        file = entry.files[0]
        address = f"{self.source_documents_url.rstrip('/')}/resolve/main/src_doc_files/{file.filename}"
        return entry.model_copy(update={"files": (file.model_copy(update={"url": address}),)})


def _qa_path(prepared: PreparedBenchmark) -> Path:
    return Path(prepared.metadata["qa_path"])

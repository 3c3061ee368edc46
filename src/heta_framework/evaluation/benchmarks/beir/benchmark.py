"""Retrieval benchmarks in BEIR's format."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio.to_thread

from heta_framework.common.datasets import DatasetEntry, unpacked
from heta_framework.common.datasets.entries import beir_entry
from heta_framework.common.stores.fields import required_text
from heta_framework.evaluation.benchmarks.beir import facts
from heta_framework.evaluation.benchmarks.beir.corpus import read_corpus
from heta_framework.evaluation.benchmarks.beir.folder import BeirFolder, find_folder
from heta_framework.evaluation.benchmarks.beir.judgements import CaseShape, read_judged_cases, tally
from heta_framework.evaluation.benchmarks.registered_files import registered_files, require_web_address, resource_of
from heta_framework.evaluation.benchmarks.streaming import streamed
from heta_framework.evaluation.evaluators import beir_default_metrics
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
class BeirBenchmark:
    """A dataset of BEIR (Thakur et al. 2021, arXiv 2104.08663), or any other in its format.

    Cases are the queries that have any label in the split, as with BEIR; the prepared metadata count the others.

    Args:
        dataset: its id with BEIR, e.g. ``scifact``; in lower case.
        split: whose labels are used, e.g. ``test``.
        data_root: a folder with the files, or with a folder of the dataset's name that has them. Without it the zip
            archive is used: found in the workspace's cache or the data cache, else downloaded.
        download: whether the archive may be downloaded; it must have the registered checksum.
        dataset_url: another place to download it from.
        evaluator_list: how it is scored; 25 metrics at 1, 3, 5, 10 and 100 by default.
        accept_licence: needed before a download where the dataset's licence asks for it, or is unknown.
        ignore_identical_ids: whether the document that has the query's own id is left out of every ranking. By default
            only for ``arguana`` and ``quora``, whose queries stand in the corpus; BEIR's own script does it for all
            datasets, also where equal ids mean nothing.

    Raises:
        ValueError: the dataset or the split is no id, or the address none of the web.
    """

    dataset: str
    split: str = "test"
    data_root: Path | None = None
    download: bool = True
    dataset_url: str | None = None
    evaluator_list: tuple[BenchmarkEvaluatorProtocol, ...] = field(default_factory=beir_default_metrics)
    accept_licence: bool = False
    ignore_identical_ids: bool | None = None

    def __post_init__(self) -> None:
        put(self, dataset=_dataset_id("dataset", self.dataset), split=_dataset_id("split", self.split))
        put(self, data_root=None if self.data_root is None else Path(self.data_root))
        put(self, evaluator_list=tuple(self.evaluator_list))
        if self.dataset_url is not None:
            require_web_address("dataset_url", self.dataset_url)

    @property
    def manifest(self) -> BenchmarkManifest:
        """``beir_{dataset}``, version ``official``."""
        return BenchmarkManifest(
            name=f"beir_{self.dataset}",
            version="official",
            split=self.split,
            task_type=facts.TASK_TYPES.get(self.dataset, facts.ANY_TASK_TYPE),
            homepage=facts.BEIR_GITHUB_URL,
            license=self._entry.licence.name,
            citation=facts.CITATION,
            metadata={
                "dataset": self.dataset,
                "recommended": self.dataset in facts.BEIR_RECOMMENDED_DATASETS,
                "description": facts.DESCRIPTIONS.get(self.dataset),
                "dataset_url": self.resources()[0].uri,
                "ignore_identical_ids": self._ignores_query,
            },
        )

    def resources(self) -> tuple[BenchmarkResource, ...]:
        """The archive."""
        entry = self._entry
        archive = resource_of(
            entry,
            entry.files[0],
            name=f"beir_{self.dataset}",
            kind="archive",
            dataset=self.dataset,
            split=self.split,
            recommended_datasets=list(facts.BEIR_RECOMMENDED_DATASETS),
        )
        return (archive,)

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """``evaluator_list``."""
        return self.evaluator_list

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """Find or download the files and look through queries and labels.

        Raises:
            FileNotFoundError: a file is missing, and must not be downloaded.
            DatasetError: the archive cannot be had or unpacked, or its licence was not accepted.
            DatasetFormatError: queries or labels are not in the format.
        """
        root = self.data_root if self.data_root is not None else await self._unpacked(workspace)
        found = await anyio.to_thread.run_sync(find_folder, root, self.dataset, self.split)
        counts = await anyio.to_thread.run_sync(tally, found)
        metadata: dict[str, Any] = {
            "dataset": self.dataset,
            "split": self.split,
            "data_root": str(found.root),
            "recommended_datasets": list(facts.BEIR_RECOMMENDED_DATASETS),
            "ignore_identical_ids": self._ignores_query,
            **counts,
        }
        return PreparedBenchmark(self.manifest, found.root, self.resources(), metadata)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """The corpus, in the order of its file, each document under its own id.

        Raises:
            DatasetFormatError: a row is not in the format.
        """
        async for document in streamed(read_corpus(self._folder(prepared).corpus, self.dataset)):
            yield document

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The labelled queries, in the order of their file, each under its own id.

        Raises:
            DatasetFormatError: a row is not in the format.
        """
        shape = CaseShape(self.manifest, self.dataset, self._ignores_query)
        async for case in streamed(read_judged_cases(self._folder(prepared), shape)):
            yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """One: ``corpus``, all documents and all cases."""
        yield BenchmarkRunUnit("corpus", metadata={"dataset": self.dataset, "split": self.split})

    async def _unpacked(self, workspace: BenchmarkWorkspace) -> Path:
        entry = self._entry
        (archive,) = await registered_files(
            entry, workspace, download=self.download, accept_licence=self.accept_licence
        )
        return await anyio.to_thread.run_sync(unpacked, archive, workspace.cache_dir / entry.name / "unpacked")

    def _folder(self, prepared: PreparedBenchmark) -> BeirFolder:
        return BeirFolder(prepared.root_dir, self.split)

    @property
    def _entry(self) -> DatasetEntry:
        return beir_entry(self.dataset, self.dataset_url)

    @property
    def _ignores_query(self) -> bool:
        chosen = self.ignore_identical_ids
        return self.dataset in facts.QUERIES_ARE_DOCUMENTS if chosen is None else chosen


def _dataset_id(field_name: str, value: str) -> str:
    text = required_text(field_name, value).lower()
    if "/" in text or "\\" in text or text in (".", ".."):
        raise ValueError(f"{field_name} must be a dataset id, not a path; found {value!r}")
    return text

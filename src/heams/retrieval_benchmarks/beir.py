"""``beir``: a dataset of the BEIR collection."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from heams.benchmarks.info import BenchmarkInfo
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.info import retrieval_info

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkProtocol
    from heta_framework.evaluation.types import BenchmarkResource


class BeirBenchmarkConfig(RetrievalBenchmarkConfig):
    """A dataset of the BEIR collection: scifact, nfcorpus, fiqa, hotpotqa and the others.

    ``data_root`` is the folder that holds ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/``; without it the dataset is
    downloaded. ``dataset_url`` names another archive. ``ignore_identical_ids``: whether the document that has the
    query's own id is left out of every ranking; by default only where the queries stand in the corpus.
    """

    type: Literal["beir"] = "beir"
    report_info: ClassVar[BenchmarkInfo] = retrieval_info("BEIR", 10, detail="dataset")

    dataset: str = Field(min_length=1)
    split: str = Field(default="test", min_length=1)
    data_root: Path | None = None
    dataset_url: str | None = None
    ignore_identical_ids: bool | None = None

    def make(self, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
        """The benchmark."""
        from heta_framework.evaluation.benchmarks import BeirBenchmark

        return BeirBenchmark(
            dataset=self.dataset,
            split=self.split,
            data_root=self.data_root,
            download=self.data_root is None,
            dataset_url=self.dataset_url,
            accept_licence=accept_licence,
            ignore_identical_ids=self.ignore_identical_ids,
        )

    def downloads(self, benchmark: BenchmarkProtocol) -> Iterable[BenchmarkResource]:
        """The archive, unless there is a ``data_root``."""
        return benchmark.resources() if self.data_root is None else ()

"""Cranfield through `BeirBenchmark`: every document, query and label of its files, with the labels' grades.

Needs HEAMS_DATA_DIR, a folder with cranfield-beir; skipped without.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import anyio
import pytest

from heta_framework.evaluation import (
    BeirBenchmark,
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkWorkspace,
    PreparedBenchmark,
)


@pytest.fixture
def cranfield(data_dir: Path) -> Path:
    folder = data_dir / "cranfield-beir"
    if not (folder / "corpus.jsonl").is_file():
        pytest.skip("HEAMS_DATA_DIR holds no cranfield-beir")
    return folder


def test_all_of_cranfield_is_read(cranfield: Path, tmp_path: Path) -> None:
    prepared, documents, cases = anyio.run(_everything, BeirBenchmark("cranfield", data_root=cranfield), tmp_path)
    assert (len(documents), len({one.document_id for one in documents})) == (1400, 1400)
    assert sum(not one.data for one in documents) == 2
    assert len(cases) == prepared.metadata["cases"] == 225
    assert prepared.metadata["queries_without_qrels"] == 0
    lines = (cranfield / "qrels" / "test.tsv").read_text().split("\n")[1:]
    labels = [line.split("\t") for line in lines if line]
    found = Counter(
        (case.case_id, one.reference_id, str(one.metadata["relevance"]))
        for case in cases
        for one in case.expected.evidence
    )
    assert found == Counter((query, document, grade) for query, document, grade in labels)
    assert {one.metadata["relevance"] for case in cases for one in case.expected.evidence} == {0, 1, 2, 3, 4}


def test_its_binary_labels_are_another_split(cranfield: Path, tmp_path: Path) -> None:
    _, _, cases = anyio.run(_everything, BeirBenchmark("cranfield", "binary", cranfield, download=False), tmp_path)
    assert {one.metadata["relevance"] for case in cases for one in case.expected.evidence} == {0, 1}


async def _everything(
    benchmark: BeirBenchmark, folder: Path
) -> tuple[PreparedBenchmark, list[BenchmarkDocument], list[BenchmarkCase]]:
    prepared = await benchmark.prepare(BenchmarkWorkspace(folder, folder / "cache"))
    return (
        prepared,
        [document async for document in benchmark.documents(prepared)],
        [case async for case in benchmark.cases(prepared)],
    )

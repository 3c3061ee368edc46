"""UDA's papers with their real questions: two units, and the evidence stands in the document it is filed under.

Needs HEAMS_DATA_DIR, a folder with uda; skipped without.
"""

from __future__ import annotations

import re
from pathlib import Path

import anyio
import pytest

from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    UdaBenchmark,
)
from heta_framework.kb.parsing import PdfParser, make_parsed_source

_WRITTEN_OTHERWISE = re.compile(r"BIBREF\d+|\$[^$]*\$")
_LONG_ENOUGH = 25


@pytest.fixture
def sample(data_dir: Path) -> UdaBenchmark:
    folder = data_dir / "uda"
    if not (folder / "qa" / "paper_text_qa.csv").is_file():
        pytest.skip("HEAMS_DATA_DIR holds no uda/qa")
    return UdaBenchmark(
        "paper_text",
        source_root=folder / "src_doc_files",
        qa_path=folder / "qa" / "paper_text_qa.csv",
        extended_info_path=folder / "extended_qa_info_bench" / "bench_paper_text_qa.json",
    )


def test_the_sample_is_two_units_of_one_document_each(sample: UdaBenchmark, tmp_path: Path) -> None:
    documents, cases, units = anyio.run(_everything, sample, tmp_path)
    assert {unit.unit_id for unit in units} == {document.document_id for document in documents}
    assert sorted(len(unit.case_ids) for unit in units) == [1, 2]
    assert all(unit.document_ids == (unit.unit_id,) for unit in units)
    assert {case.case_id for case in cases} == {case_id for unit in units for case_id in unit.case_ids}
    assert all(case.expected.answers and case.metadata["has_extended_info"] for case in cases)


def test_its_evidence_stands_in_its_own_document_alone(sample: UdaBenchmark, tmp_path: Path) -> None:
    documents, cases, _ = anyio.run(_everything, sample, tmp_path)
    texts = {document.document_id: _letters(_text(document)) for document in documents}
    labels = [evidence for case in cases for evidence in case.expected.evidence]
    assert len(labels) >= 4
    found = 0
    for label in labels:
        pieces = [_letters(piece) for piece in _WRITTEN_OTHERWISE.split(label.text or "")]
        (longest,) = sorted(pieces, key=len)[-1:]
        assert len(longest) > _LONG_ENOUGH
        places = {document_id for document_id, text in texts.items() if longest[: 2 * _LONG_ENOUGH] in text}
        assert places <= {label.reference_id}
        found += bool(places)
    assert found >= len(labels) - 1


async def _everything(
    benchmark: UdaBenchmark, folder: Path
) -> tuple[list[BenchmarkDocument], list[BenchmarkCase], list[BenchmarkRunUnit]]:
    prepared = await benchmark.prepare(BenchmarkWorkspace(folder, folder / "cache"))
    return (
        [document async for document in benchmark.documents(prepared)],
        [case async for case in benchmark.cases(prepared)],
        [unit async for unit in benchmark.run_units(prepared)],
    )


def _text(document: BenchmarkDocument) -> str:
    assert document.path is not None
    data = document.path.read_bytes()
    source = make_parsed_source(key=f"raw/{document.name}", name=document.name, file_type="pdf", data=data)
    return " ".join(page.text for page in PdfParser().parse_now(source, data).pages)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())

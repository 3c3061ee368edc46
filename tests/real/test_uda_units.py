"""UDA asks each question of its own document: a knowledge base a paper, and none finds what is in the other.

Needs HEAMS_DATA_DIR, a folder with uda (two papers as PDF, three questions); skipped without.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from tiny_recipes import SharedStores

from heta_framework.evaluation import (
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunResult,
    BenchmarkWorkspace,
    EvaluationReport,
    UdaBenchmark,
)
from heta_framework.kb import DocumentParserRegistry, KnowledgeParsers, PdfParser

_UNITS = ("2001_03131", "1705_07830")
_MODES = ("vector_search", "full_text_search")


class Run:
    """One run of the sample, for all tests of this file."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.stores = SharedStores(folder)
        self.result = anyio.run(partial(self._run, data / "uda", folder))

    async def _run(self, data: Path, folder: Path) -> BenchmarkRunResult:
        pdfs = KnowledgeParsers(documents=DocumentParserRegistry([PdfParser()]))
        return await BenchmarkRunner().run(
            benchmark=UdaBenchmark(
                "paper_text",
                source_root=data,
                qa_path=data / "qa/paper_text_qa.csv",
                extended_info_path=data / "extended_qa_info_bench/bench_paper_text_qa.json",
                download_metadata=False,
                download_source_documents=False,
            ),
            recipe=replace(self.stores.recipe(chunk_size=800), parsers=pdfs),
            knowledge_base_name="papers",
            query_modes=_MODES,
            workspace=BenchmarkWorkspace(folder / "work", folder / "cache"),
            config=BenchmarkRunConfig(report_id="sample"),
        )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    found = Path(os.environ.get("HEAMS_DATA_DIR", ""))
    if not (found / "uda").is_dir():
        pytest.skip(f"{found / 'uda'} does not exist: set HEAMS_DATA_DIR")
    return Run(found, tmp_path_factory.mktemp("uda"))


def test_each_paper_is_a_knowledge_base_of_its_own(run: Run) -> None:
    assert [kb.name for kb in run.result.knowledge_bases] == [f"papers-{unit}" for unit in _UNITS]
    assert len(run.result.benchmark_document_keys) == 2
    assert run.result.report.knowledge_base_name == "papers"


def test_every_question_is_asked_of_its_own_paper(run: Run) -> None:
    cases = run.result.report.case_results
    assert Counter(case.metadata["benchmark_run_unit"] for case in cases) == {_UNITS[0]: 4, _UNITS[1]: 2}
    assert [case.error for case in cases] == [None] * 6
    assert all(case.response and len(case.response.results) == 10 for case in cases if case.query_mode == _MODES[0])


def test_no_result_is_of_the_other_paper(run: Run) -> None:
    for case in run.result.report.case_results:
        assert case.response is not None
        assert {hit.source["document_id"] for hit in case.response.results} == {case.metadata["benchmark_run_unit"]}


def test_the_other_papers_words_find_nothing_of_it(run: Run) -> None:
    asked = {_UNITS[0]: "reformulated questions reinforcement learning", _UNITS[1]: "Random Kitchen Sink"}
    for kb, (unit, words) in zip(run.result.knowledge_bases, asked.items(), strict=True):
        for mode in _MODES:
            found = anyio.run(partial(kb.query, words, mode=mode, top_k=50))
            assert {hit.source["document_id"] for hit in found.results} <= {unit}


def test_one_report_tells_of_both(run: Run) -> None:
    key = run.result.report_key
    assert key == "_heta/knowledge_bases/papers/evaluations/sample/report.json"
    report = anyio.run(partial(EvaluationReport.load, run.stores.objects, key))
    details: Any = report.score_details["full_text_search.answer_contains"]
    assert (details["n"], sorted(details["units"])) == (3, sorted(_UNITS))
    assert {unit["unit_id"]: unit["cases"] for unit in report.metadata["run_units"]} == {_UNITS[0]: 2, _UNITS[1]: 1}

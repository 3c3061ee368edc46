"""A part that fails is told of where it fails, and takes nothing else with it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from small_benchmark import TEXTS, SmallBenchmark, asks_for, recall, run, text_document
from tiny_recipes import SharedStores, TinyEmbedding

from heta_framework.evaluation import (
    BenchmarkDocument,
)
from heta_framework.kb import KnowledgeBuildError

pytestmark = pytest.mark.anyio


class Broken(TinyEmbedding):
    """Gives NaN for one of the documents."""

    def _vector(self, text: str) -> list[float]:
        return [math.nan] * self.dimension if "oil" in text else super()._vector(text)


async def test_a_vector_that_is_not_a_number_stops_the_run_and_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBuildError, match=r"(?i)nan|finite|not a number"):
        await run(SharedStores(tmp_path).recipe(model=Broken()), SmallBenchmark())


async def test_documents_that_nobody_reads_are_told_in_the_report(tmp_path: Path) -> None:
    documents = [
        *(text_document(name, text) for name, text in TEXTS.items()),
        BenchmarkDocument("film", "film.mkv", "video/x-matroska", data=b"\x1aE\xdf\xa3"),
    ]
    result = await run(SharedStores(tmp_path).recipe(), SmallBenchmark(documents, cases=[asks_for("harbour", "tide")]))
    assert "film.mkv" in str(result.report.metadata["build_issues"])


async def test_the_media_type_finds_a_parser_where_the_name_has_no_suffix(tmp_path: Path) -> None:
    documents = [BenchmarkDocument(name, name, "text/plain", data=text.encode()) for name, text in TEXTS.items()]
    cases = [asks_for(name, text) for name, text in TEXTS.items()]
    result = await run(SharedStores(tmp_path).recipe(), SmallBenchmark(documents, cases=cases))
    assert recall(result) == 1.0

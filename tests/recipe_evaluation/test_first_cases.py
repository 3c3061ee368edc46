"""A benchmark cut to its first cases: it asks those, and builds only what they need."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heams.recipe_evaluation.first_cases import FirstCases
from heta_framework.evaluation.protocols import BenchmarkProtocol
from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkManifest,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    PreparedBenchmark,
)

MANIFEST = BenchmarkManifest("streets", "1", "test", "qa")
UNITS = [BenchmarkRunUnit(f"u{n}", (f"d{n}",), (f"q{2 * n}", f"q{2 * n + 1}")) for n in range(3)]


class Streets:
    """Three documents, each with two questions, in the given units; a seventh question is in none."""

    def __init__(self, units: list[BenchmarkRunUnit]) -> None:
        self.manifest = MANIFEST
        self._units = units

    def resources(self) -> tuple[()]:
        return ()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        return PreparedBenchmark(MANIFEST, workspace.root_dir)

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        for n in range(3):
            yield BenchmarkDocument(f"d{n}", "d.txt", "text/plain", b"words")

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        for n in range(7):
            yield BenchmarkCase(f"q{n}", "Where?")

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        for unit in self._units:
            yield unit

    def evaluators(self) -> tuple[()]:
        return ()


async def _cut(units: list[BenchmarkRunUnit], limit: int | None, root: Path) -> FirstCases:
    cut = await FirstCases.of(Streets(units), BenchmarkWorkspace(root, root), limit)
    assert isinstance(cut, BenchmarkProtocol)
    return cut


@pytest.mark.anyio
async def test_units_without_a_question_are_not_built(tmp_path: Path) -> None:
    cut = await _cut(UNITS, 3, tmp_path)
    assert [(unit.unit_id, unit.case_ids) async for unit in cut.run_units(cut.prepared)] == [
        ("u0", ("q0", "q1")),
        ("u1", ("q2",)),
    ]
    assert [case.case_id async for case in cut.cases(cut.prepared)] == ["q0", "q1", "q2"]
    assert [document.document_id async for document in cut.documents(cut.prepared)] == ["d0", "d1"]
    assert (cut.case_ids, cut.is_one_corpus) == (["q0", "q1", "q2"], False)


@pytest.mark.anyio
async def test_a_corpus_stays_whole(tmp_path: Path) -> None:
    cut = await _cut([BenchmarkRunUnit("corpus")], 1, tmp_path)
    assert cut.is_one_corpus
    assert len([document async for document in cut.documents(cut.prepared)]) == 3
    assert [case.case_id async for case in cut.cases(cut.prepared)] == ["q0"]
    assert len(cut.all_case_ids) == 7


@pytest.mark.anyio
async def test_without_a_limit_nothing_is_cut_and_what_nobody_asks_is_not_counted(tmp_path: Path) -> None:
    cut = await _cut(UNITS, None, tmp_path)
    assert list(cut.case_ids) == [f"q{n}" for n in range(6)]
    assert len([case async for case in cut.cases(cut.prepared)]) == 7

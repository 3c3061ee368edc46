"""What the pages leave open is taken either way; what cannot be meant is refused with what to write."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pages_benchmark import HarbourBenchmark, by_words

from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkRunUnit,
    EvaluationScore,
    PreparedBenchmark,
)
from heta_framework.kb import QueryResponse

pytestmark = pytest.mark.anyio


class Awaited(HarbourBenchmark):
    """Its three methods are coroutines that return asynchronous iterators, as the protocol's text can be read."""

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:  # type: ignore[override]
        return HarbourBenchmark.documents(self, prepared)

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:  # type: ignore[override]
        return HarbourBenchmark.cases(self, prepared)

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:  # type: ignore[override]
        return HarbourBenchmark.run_units(self, prepared)


class Plain:
    """An evaluator that waits for nothing."""

    name = "plain"

    def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        return EvaluationScore(self.name, float(len(response.results) > 0))


async def _run(folder: Path, **parts: Any) -> Any:
    given = {
        "benchmark": HarbourBenchmark(),
        "recipe": by_words(folder),
        "knowledge_base_name": "kb",
        "query_modes": ("vector_search",),
        "config": BenchmarkRunConfig(persist_report=False),
    }
    return await BenchmarkRunner().run(**(given | parts))


async def test_documents_may_be_a_coroutine_that_gives_an_iterator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = await _run(tmp_path, benchmark=Awaited(), evaluators=[Plain()])
    assert result.report.score_summary == {"vector_search.plain": 1.0}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"evaluators": (Plain,)}, r"found the class Plain: write Plain\("),
        ({"benchmark": HarbourBenchmark}, r"found the class HarbourBenchmark: write HarbourBenchmark\("),
        ({"config": {"top_k": 5}}, "config must be a BenchmarkRunConfig, found dict"),
        ({"query_modes": "vector_search"}, r"write \('vector_search',\)"),
    ],
)
async def test_what_cannot_be_meant_is_refused_with_what_to_write(
    tmp_path: Path, parts: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        await _run(tmp_path, **{"evaluators": (), **parts})

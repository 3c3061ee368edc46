"""What JSON cannot hold never costs a run: it is noted in the files, and everything else is saved."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from small_benchmark import TEXTS, SmallBenchmark, asks_for, run
from tiny_recipes import SharedStores

from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkManifest,
    BenchmarkRunConfig,
    BenchmarkRunUnit,
    EvaluationReport,
    EvaluationScore,
)
from heta_framework.kb import (
    QueryContext,
    QueryEngineRegistry,
    QueryInsight,
    QueryRequest,
    QueryResponse,
    QueryResult,
)

pytestmark = pytest.mark.anyio
UNSAFE = {
    "object": object(),
    "nan": float("nan"),
    "bytes": b"\xff",
    7: {1, 2},
    "surrogate": "a\ud800b",
    "path": Path("p"),
}


class Careless:
    """Puts into a score's metadata whatever it has at hand."""

    name = "careless"

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        return EvaluationScore(self.name, 1.0, metadata=UNSAFE)


async def _files(stores: SharedStores, report_key: str | None) -> dict[str, bytes]:
    assert report_key
    keys = await stores.keys(report_key.rpartition("/")[0])
    return {key: await stores.objects.get(key) for key in keys if key.endswith((".json", ".jsonl"))}


def _assert_strict(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        lines = data.decode("utf-8", "strict").splitlines() if name.endswith(".jsonl") else [data.decode()]
        assert lines, name
        for line in lines:
            json.dumps(json.loads(line, parse_constant=pytest.fail)).encode()
            assert "\\ud8" not in line.lower()


async def test_metadata_that_json_cannot_hold_is_noted_and_costs_nothing(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    benchmark = SmallBenchmark(
        manifest=BenchmarkManifest("small", "v1", "test", "retrieval", metadata=UNSAFE),
        units=(BenchmarkRunUnit("corpus", metadata=UNSAFE),),
    )
    config = BenchmarkRunConfig(report_id="unsafe", metadata=UNSAFE)
    result = await run(stores.recipe(), benchmark, evaluators=(Careless(),), config=config)
    assert result.report.score_summary == {"vector_search.careless": 1.0}
    _assert_strict(await _files(stores, result.report_key))
    loaded = await EvaluationReport.load(stores.objects, str(result.report_key))
    assert [score.metadata["path"] for case in loaded.case_results for score in case.scores] == ["p"] * len(TEXTS)
    assert "manifest_note" in loaded.case_results[0].scores[0].metadata["object"]
    json.dumps(result.report.to_dict(), allow_nan=False).encode()


async def test_a_lone_surrogate_in_a_question_costs_nothing(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    cases = [asks_for("harbour", "Where are the tide\ud83d tables?"), asks_for("orchard", TEXTS["orchard"])]
    result = await run(stores.recipe(), SmallBenchmark(cases=cases))
    assert [case.error for case in result.report.case_results] == [None, None]
    assert result.report.score_summary["vector_search.evidence_recall@1"] == 1.0
    _assert_strict(await _files(stores, result.report_key))


@dataclass
class Odd:
    """An engine whose responses hold whatever Python can."""

    mode: str = "odd"
    required_assets: tuple[Any, ...] = ()

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        hit = QueryResult("r1", "half a \udc00 sign", float("nan"), source=dict(UNSAFE), metadata={"set": {3}})  # type: ignore[arg-type]
        return QueryResponse(self.mode, (hit,), "an \ud800 answer", insights=(QueryInsight("It is odd.", ("r1",)),))


async def test_a_response_that_json_cannot_hold_is_saved_as_far_as_it_can(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    engines = QueryEngineRegistry.defaults().register(Odd())
    result = await run(
        stores.recipe(), SmallBenchmark(), query_modes=("odd",), query_engines=engines, evaluators=(Careless(),)
    )
    _assert_strict(await _files(stores, result.report_key))
    loaded = await EvaluationReport.load(stores.objects, str(result.report_key))
    response = loaded.case_results[0].response
    assert response is not None
    assert (response.results[0].text, response.answer) == ("half a � sign", "an � answer")


async def test_insights_are_in_the_report(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    engines = QueryEngineRegistry.defaults().register(Odd())
    result = await run(stores.recipe(), SmallBenchmark(), query_modes=("odd",), query_engines=engines, evaluators=())
    insights = [{"text": "It is odd.", "evidence_ids": ["r1"]}]
    assert result.report.to_dict()["case_results"][0]["response"]["insights"] == insights
    loaded = await EvaluationReport.load(stores.objects, str(result.report_key))
    assert loaded.to_dict()["case_results"][0]["response"]["insights"] == insights

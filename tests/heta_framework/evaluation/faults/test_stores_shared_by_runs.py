"""Runs on the same stores: each sees exactly its own documents, by its own model, and leaves the others' work alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_benchmark import TEXTS, SmallBenchmark, recall, run
from tiny_recipes import SharedStores, TinyEmbedding

from heta_framework.evaluation import BenchmarkRunConfig, EvaluationReport

pytestmark = pytest.mark.anyio


async def test_a_second_embedding_model_makes_vectors_of_its_own(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    models = TinyEmbedding("sixteen", 16), TinyEmbedding("eight", 8)
    results = [await run(stores.recipe(model=model), SmallBenchmark(), name=model.model_name) for model in models]
    assert [recall(result) for result in results] == [1.0, 1.0]
    assert all(set(TEXTS.values()) <= set(model.embedded) for model in models)
    hits = [result.report.case_results[0].response.results[0] for result in results]  # type: ignore[union-attr]
    assert [hit.metadata["embedding_model"] for hit in hits] == ["sixteen", "eight"]


@pytest.mark.parametrize("name", ["kb", "my-kb", "My KB"])
async def test_deleting_the_knowledge_base_keeps_the_report(tmp_path: Path, name: str) -> None:
    stores = SharedStores(tmp_path)
    result = await run(stores.recipe(), SmallBenchmark(), name=name, config=BenchmarkRunConfig(report_id="kept"))
    await result.knowledge_bases[0].delete()
    loaded = await EvaluationReport.load(stores.objects, str(result.report_key))
    assert loaded.score_summary == result.report.score_summary
    assert [case.to_dict() for case in loaded.case_results] == [case.to_dict() for case in result.report.case_results]

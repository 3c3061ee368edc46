"""Ids of any shape are scored and lead nowhere else; names that differ do not meet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_benchmark import TEXTS, SmallBenchmark, asks_for, found, recall, run, text_document
from tiny_recipes import SharedStores

from heta_framework.evaluation import (
    BenchmarkDocument,
    BenchmarkManifest,
    BenchmarkRunConfig,
    BenchmarkWorkspace,
    beir_default_metrics,
)

pytestmark = pytest.mark.anyio
STRANGE = ("a/b", "/etc/x", "../../x", "..", "x" * 300, "Ünïcode 🜁", "with space", "beir/x/y", "CON")


async def test_documents_with_strange_ids_are_scored(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    texts = {name: f"{word} {word} {number}" for number, (name, word) in enumerate(zip(STRANGE, _words(), strict=True))}
    metrics = beir_default_metrics(k_values=(1,))
    result = await run(stores.recipe(), SmallBenchmark(texts, evaluators=metrics))
    assert result.report.score_summary["vector_search.beir_recall@1"] == 1.0
    assert {ids[0] for ids in found(result).values()} == set(STRANGE)


async def test_benchmarks_whose_names_hold_slashes_are_scored(tmp_path: Path) -> None:
    manifest = BenchmarkManifest("lab/2026/small", "v1", "dev/a", "retrieval")
    result = await run(SharedStores(tmp_path).recipe(), SmallBenchmark(manifest=manifest))
    assert recall(result) == 1.0


async def test_nothing_is_written_outside_of_the_benchmarks_folder(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path / "place")
    await run(stores.recipe(), SmallBenchmark({name: f"{name} text" for name in STRANGE}))
    raw = [key for key in await stores.keys() if not key.startswith(("_heta/", "raw/benchmarks/small/test/"))]
    assert [key for key in raw if key.startswith("raw/") or ".." in key] == []
    assert _names_in(tmp_path) == [".heta", "place"]


async def test_the_same_report_of_the_same_name_is_resumed(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    config = BenchmarkRunConfig(report_id="same")
    first = await run(stores.recipe(), SmallBenchmark(), config=config)
    stores.restart()
    second = await run(stores.recipe(), SmallBenchmark(), config=config)
    assert second.report_key == first.report_key
    assert second.report.score_summary == first.report.score_summary
    assert [case.to_dict() for case in second.report.case_results] == [
        case.to_dict() for case in first.report.case_results
    ]


async def test_names_that_differ_in_case_space_or_hyphen_are_different(tmp_path: Path) -> None:
    stores = SharedStores(tmp_path)
    names = ("Marine KB", "marine kb", "marine-kb", "marine_kb")
    config = BenchmarkRunConfig(report_id="first")
    results = [
        await run(stores.recipe(), SmallBenchmark({f"only {name}": f"the text of {name}"}), name=name, config=config)
        for name in names
    ]
    assert len({result.report_key for result in results}) == len(names)
    for name, result in zip(names, results, strict=True):
        assert found(result) == {f"about only {name}": [f"only {name}"]}
        assert json.loads(await stores.objects.get(str(result.report_key)))["knowledge_base_name"] == name


async def test_a_document_behind_an_address_is_fetched(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(TEXTS["harbour"])
    uri = (tmp_path / "page.txt").as_uri()
    documents = [
        BenchmarkDocument("harbour", "page.txt", "text/plain", source_uri=uri),
        text_document("orchard", TEXTS["orchard"]),
    ]
    benchmark = SmallBenchmark(documents, cases=[asks_for("harbour", TEXTS["harbour"])])
    workspace = BenchmarkWorkspace(tmp_path, tmp_path / "cache")
    assert recall(await run(SharedStores(tmp_path).recipe(), benchmark, workspace=workspace)) == 1.0


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _words() -> list[str]:
    return ["anchor", "basket", "candle", "drum", "engine", "feather", "garden", "hammer", "island"]

"""The 25 metrics of Cranfield's graded labels equal pytrec_eval's, question by question, to the last bit.

Needs HEAMS_DATA_DIR, a folder with cranfield-beir; skipped without. Documents are title and text in one chunk or more,
embedded by the offline default.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from heta_framework.common.models import WordLlamaEmbedding
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
from heta_framework.evaluation import BenchmarkCase, BenchmarkEvidence, BenchmarkExpected, beir_default_metrics
from heta_framework.evaluation.trec import read_qrels, score_run
from heta_framework.kb import (
    DocumentParserRegistry,
    EmbedChunks,
    IndexFullText,
    IndexVectors,
    KnowledgeBase,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    QueryResponse,
    QueryResult,
    SourceDocument,
    SplitDocuments,
    TextParser,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "heta_framework/evaluation/trec"))

from official_scores import official_scores

CUTOFFS = (1, 3, 5, 10, 100)
Responses = Mapping[str, QueryResponse]


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cranfield() -> Path:
    found = Path(os.environ.get("HEAMS_DATA_DIR", "")) / "cranfield-beir"
    if not (found / "corpus.jsonl").is_file():
        pytest.skip(f"{found / 'corpus.jsonl'} does not exist: set HEAMS_DATA_DIR")
    return found


@pytest.fixture(scope="module")
def qrels(cranfield: Path) -> dict[str, dict[str, int]]:
    return read_qrels(cranfield / "qrels/test.tsv")


@pytest.fixture(scope="module")
def responses(cranfield: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Responses]:
    return anyio.run(partial(_asked_in_both_modes, cranfield, tmp_path_factory.mktemp("cranfield")))


@pytest.mark.parametrize("mode", ["vector_search", "full_text_search"])
def test_all_metrics_of_a_mode_equal_pytrec_eval(
    responses: dict[str, Responses], qrels: dict[str, dict[str, int]], mode: str
) -> None:
    _assert_equal(responses[mode], qrels)


def test_all_metrics_of_a_run_full_of_ties_equal_pytrec_eval(
    responses: dict[str, Responses], qrels: dict[str, dict[str, int]]
) -> None:
    chance = random.Random(0)
    _assert_equal(
        {query: _adversarial(response, chance) for query, response in responses["vector_search"].items()}, qrels
    )


def _assert_equal(responses: Responses, qrels: Mapping[str, Mapping[str, int]]) -> None:
    run = {query: _best_of_each_document(response) for query, response in responses.items()}
    official = official_scores(run, qrels, CUTOFFS)
    ours = {query: _evaluated(qrels[query], responses[query]) for query in official}
    assert len(official) == 225
    assert (
        max(abs(ours[query][name] - value) for query, scores in official.items() for name, value in scores.items()) == 0
    )
    assert {len(scores) for scores in (*official.values(), *ours.values())} == {25}
    batch = score_run(run, qrels).by_query
    assert all(batch[query] == scores for query, scores in official.items())
    assert 0 < sum(scores["ndcg@10"] for scores in official.values()) < 225


def _evaluated(labels: Mapping[str, int], response: QueryResponse) -> dict[str, float]:
    """Every default metric's own verdict, as a runner asks for it."""
    evidence = (BenchmarkEvidence(document, metadata={"relevance": level}) for document, level in labels.items())
    case = BenchmarkCase("case", "question", BenchmarkExpected(evidence=tuple(evidence)))

    async def scores() -> dict[str, float]:
        verdicts = [await metric.evaluate(case=case, response=response) for metric in beir_default_metrics()]
        return {verdict.name.removeprefix("beir_"): float(verdict.value) for verdict in verdicts}

    return anyio.run(scores)


def _best_of_each_document(response: QueryResponse) -> dict[str, float]:
    scores: dict[str, float] = {}
    for result in response.results:
        document, score = result.source["document_id"], result.score
        assert score is not None
        scores[document] = max(scores.get(document, score), score)
    return scores


def _adversarial(response: QueryResponse, chance: random.Random) -> QueryResponse:
    """Shuffled, with coarse scores, scores that differ beyond single precision only, and documents that repeat."""
    results = list(response.results)
    chance.shuffle(results)
    tied = [
        QueryResult(
            f"{result.id}-{copy}",
            result.text,
            round(result.score or 0.0, 1) + chance.choice([0.0, 0.0, 1e-10, -1e-10]),
            source=result.source,
        )
        for result in results
        for copy in range(chance.choice([1, 1, 2]))
    ]
    return QueryResponse(response.mode, tuple(tied))


async def _asked_in_both_modes(cranfield: Path, folder: Path) -> dict[str, Responses]:
    knowledge_base = await _built(cranfield, folder)
    queries = list(_rows(cranfield / "queries.jsonl"))
    return {
        mode: {row["_id"]: await knowledge_base.query(row["text"], mode=mode, top_k=100) for row in queries}
        for mode in ("vector_search", "full_text_search")
    }


async def _built(cranfield: Path, folder: Path) -> KnowledgeBase:
    objects = LocalObjectStore(folder)
    documents = []
    for row in _rows(cranfield / "corpus.jsonl"):
        if text := f"{row['title']}\n\n{row['text']}".strip():
            documents.append(SourceDocument(f"raw/{row['_id']}.txt", document_id=row["_id"]))
            await objects.put(documents[-1].key, text.encode())
    stores = KnowledgeStores(objects=objects, vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore())
    recipe = KnowledgeRecipe(
        models=KnowledgeModels(embedding=WordLlamaEmbedding()),
        stores=stores,
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(ParseDocuments(), SplitDocuments(), EmbedChunks(), IndexVectors(), IndexFullText()),
    )
    return await KnowledgeBase.create(
        recipe=recipe, name="cranfield", initial_artifacts={"source_documents": documents}
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())

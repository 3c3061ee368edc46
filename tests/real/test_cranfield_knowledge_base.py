"""What the query modes find in Cranfield, judged by trec_eval, and that two recipes share their work.

Needs HEAMS_DATA_DIR, a folder with cranfield-beir; skipped without. Documents are title and text, embedded by the
offline default. A document's score is that of its best chunk.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import anyio
import pytest
import pytrec_eval

from heta_framework.common.models import WordLlamaEmbedding
from heta_framework.common.stores import (
    InMemoryTextIndexStore,
    InMemoryVectorStore,
    LocalObjectStore,
    SQLStore,
)
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
    PersistChunks,
    PersistChunksConfig,
    SourceDocument,
    SplitDocuments,
    TextParser,
)

_TOP = 20
"""Chunks asked for, so that ten documents are among them."""

_CALLS = {"parsed": 0, "embedded": 0}


class _CountingParser(TextParser):
    async def parse(self, source: Any, data: bytes) -> Any:
        _CALLS["parsed"] += 1
        return await super().parse(source, data)


class _CountingEmbedding(WordLlamaEmbedding):
    def embed_texts(self, texts: Any) -> Any:
        _CALLS["embedded"] += len(texts)
        return super().embed_texts(texts)


@pytest.fixture(scope="module")
def cranfield() -> Path:
    found = Path(os.environ.get("HEAMS_DATA_DIR", "")) / "cranfield-beir"
    if not (found / "corpus.jsonl").is_file():
        pytest.skip(f"{found / 'corpus.jsonl'} does not exist: set HEAMS_DATA_DIR")
    return found


@pytest.fixture(scope="module")
def knowledge_base(cranfield: Path, tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("cranfield")
    return anyio.run(partial(_build, cranfield, folder))


async def _build(cranfield: Path, folder: Path) -> KnowledgeBase:
    objects = LocalObjectStore(folder / "objects")
    documents = []
    for row in _rows(cranfield / "corpus.jsonl"):
        text = f"{row['title']}\n\n{row['text']}".strip()
        if text:
            documents.append(SourceDocument(f"raw/{row['_id']}.txt", document_id=row["_id"]))
            await objects.put(documents[-1].key, text.encode())
    recipe = _recipe(objects, IndexVectors(), IndexFullText(), PersistChunks(PersistChunksConfig(
        chunk_keys_artifact="chunk_keys")), sql=SQLStore(f"sqlite:///{folder}/chunks.db"))  # fmt: skip
    return await KnowledgeBase.create(
        recipe=recipe, name="cranfield", initial_artifacts={"source_documents": documents}
    )


def _recipe(objects: LocalObjectStore, *indexes: Any, **stores: Any) -> KnowledgeRecipe:
    return KnowledgeRecipe(
        models=KnowledgeModels(embedding=_CountingEmbedding()),
        stores=KnowledgeStores(
            objects=objects, vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore(), **stores
        ),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([_CountingParser()])),
        steps=(ParseDocuments(), SplitDocuments(), EmbedChunks(), *indexes),
    )


@pytest.mark.parametrize(
    ("mode", "at_least"),
    [("full_text_search", 0.345), ("vector_search", 0.30), ("hybrid_search", 0.36)],
)
def test_a_mode_finds_what_it_should(
    knowledge_base: KnowledgeBase, cranfield: Path, mode: str, at_least: float
) -> None:
    assert _ndcg(anyio.run(partial(_runs, knowledge_base, cranfield, mode)), cranfield) >= at_least


def test_questions_are_answered_from_sql_as_well(knowledge_base: KnowledgeBase, cranfield: Path) -> None:
    runs = anyio.run(partial(_runs, knowledge_base, cranfield, "sql_text_search", questions=60))
    words = anyio.run(partial(_runs, knowledge_base, cranfield, "full_text_search", questions=60))
    assert len(runs) == 60
    assert _ndcg(runs, cranfield) >= 0.9 * _ndcg(words, cranfield) > 0.2


def test_a_second_recipe_parses_splits_and_embeds_nothing_again(knowledge_base: KnowledgeBase) -> None:
    objects = knowledge_base.recipe.stores.objects
    before = dict(_CALLS)
    other = anyio.run(partial(_second, knowledge_base, _recipe(objects, IndexVectors())))  # type: ignore[arg-type]
    assert before["parsed"] > 0
    assert before["embedded"] > 1_000
    assert before == _CALLS
    counts = [kb.run_record.artifacts["split_documents_result"].chunk_count for kb in (knowledge_base, other)]
    assert counts[0] == counts[1] > 1_000


async def _second(first: KnowledgeBase, recipe: KnowledgeRecipe) -> KnowledgeBase:
    given = {"source_documents": first.run_record.artifacts["source_documents"]}
    return await KnowledgeBase.create(recipe=recipe, name="second", initial_artifacts=given)


async def _runs(
    kb: KnowledgeBase, cranfield: Path, mode: str, *, questions: int | None = None
) -> dict[str, dict[str, float]]:
    return {
        query["_id"]: _documents(await kb.query(query["text"], mode=mode, top_k=_TOP))
        for query in islice(_rows(cranfield / "queries.jsonl"), questions)
    }


def _documents(response: Any) -> dict[str, float]:
    scores: dict[str, float] = {}
    for result in response.results:
        document = result.source["document_id"]
        scores[document] = max(scores.get(document, float("-inf")), result.score)
    return scores


def _ndcg(runs: dict[str, dict[str, float]], cranfield: Path) -> float:
    labels: dict[str, dict[str, int]] = {query: {} for query in runs}
    for line in (cranfield / "qrels/test.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, gain = line.split("\t")
        if query in labels:
            labels[query][document] = int(gain)
    judged = pytrec_eval.RelevanceEvaluator(labels, {"ndcg_cut.10"}).evaluate(runs)
    assert len(judged) == len(labels)
    return float(sum(scores["ndcg_cut_10"] for scores in judged.values()) / len(labels))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())

"""A search computes in a worker thread, so that other questions and servers on the same event loop go on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from heta_framework.common.models import WordLlamaEmbedding
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore
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
    SplitDocuments,
    TextParser,
)


class _Witness:
    """A filter's value that remembers in which threads it was compared."""

    def __init__(self) -> None:
        self.threads: set[int] = set()

    def __eq__(self, other: object) -> bool:
        self.threads.add(threading.get_ident())
        return True

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.anyio
async def test_a_search_leaves_the_event_loop_free(tmp_path: Path) -> None:
    objects = LocalObjectStore(tmp_path)
    await objects.put("raw/a.txt", b"the harbour and its lighthouse")
    recipe = KnowledgeRecipe(
        models=KnowledgeModels(embedding=WordLlamaEmbedding()),
        stores=KnowledgeStores(objects=objects, vector=InMemoryVectorStore(), text_index=InMemoryTextIndexStore()),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(ParseDocuments(), SplitDocuments(), EmbedChunks(), IndexVectors(), IndexFullText()),
    )
    kb = await KnowledgeBase.create(recipe=recipe, name="threads")
    for mode in ("vector_search", "full_text_search"):
        witness = _Witness()
        found = await kb.query("lighthouse", mode=mode, filters={"source_name": witness})
        assert [result.source["object_name"] for result in found.results] == ["a.txt"]
        assert witness.threads
        assert threading.get_ident() not in witness.threads, mode

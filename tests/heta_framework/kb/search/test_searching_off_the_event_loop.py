"""A search computes in a worker thread, so that other questions and servers on the same event loop go on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

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

_COMPUTING = {
    "vector_search": "heta_framework/common/stores/vector/matrix.py",
    "full_text_search": "heta_framework/common/stores/text_index/segments.py",
}
"""Where each mode does its work."""


@contextmanager
def _files_of_this_thread() -> Iterator[set[str]]:
    """The source files of everything that is called in the calling thread meanwhile."""
    files: set[str] = set()

    def called(frame: FrameType, event: str, argument: object) -> None:
        files.add(Path(frame.f_code.co_filename).as_posix())

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield files
    finally:
        sys.setprofile(before)


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
    for mode, computing in _COMPUTING.items():
        with _files_of_this_thread() as files:
            found = await kb.query("lighthouse", mode=mode)
        assert [result.source["object_name"] for result in found.results] == ["a.txt"]
        assert any(file.endswith("heta_framework/kb/knowledge_base.py") for file in files)
        assert not any(file.endswith(computing) for file in files), mode

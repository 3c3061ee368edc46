"""Document ids are the caller's: whatever they look like, every mode gives them back exactly."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from heta_framework.common.models import WordLlamaEmbedding
from heta_framework.common.stores import InMemoryTextIndexStore, InMemoryVectorStore, LocalObjectStore, SQLStore
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

IDS = (
    "a/b",
    "/etc/x",
    "../../up",
    "..",
    "d" * 300,
    "two words",
    "smile \N{GRINNING FACE}",
    unicodedata.normalize("NFC", "résumé"),
    unicodedata.normalize("NFD", "résumé"),
    "100%_'\"\\",
)


@pytest.mark.anyio
async def test_document_ids_of_any_shape_come_back_exactly(tmp_path: Path) -> None:
    objects = LocalObjectStore(tmp_path / "objects")
    recipe = KnowledgeRecipe(
        models=KnowledgeModels(embedding=WordLlamaEmbedding()),
        stores=KnowledgeStores(
            objects=objects,
            vector=InMemoryVectorStore(),
            text_index=InMemoryTextIndexStore(),
            sql=SQLStore(f"sqlite:///{tmp_path}/chunks.db"),
        ),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(),
            EmbedChunks(),
            IndexVectors(),
            IndexFullText(),
            PersistChunks(PersistChunksConfig(chunk_keys_artifact="chunk_keys")),
        ),
    )
    documents = [SourceDocument(f"raw/{number}.txt", document_id=name) for number, name in enumerate(IDS)]
    for number, document in enumerate(documents):
        await objects.put(document.key, f"the harbour and its lighthouse, volume {number}".encode())
    kb = await KnowledgeBase.create(
        recipe=recipe, name="odd ids", initial_artifacts={"source_documents": tuple(documents)}
    )
    for mode in ("vector_search", "full_text_search", "sql_text_search"):
        found = (await kb.query("harbour lighthouse", mode=mode, top_k=50)).results
        assert sorted(result.source["document_id"] for result in found) == sorted(IDS), mode
        assert {result.source["object_key"] for result in found} == {document.key for document in documents}, mode

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
    kb = await kb.update(remove=IDS[1:])
    assert [(entry.document_id, entry.key) for entry in await kb.documents()] == [(IDS[0], documents[0].key)]
    assert [chunk.document_id async for chunk in await kb.chunks()] == [IDS[0]]
    for mode in ("vector_search", "full_text_search", "sql_text_search"):
        [left] = (await kb.query("harbour lighthouse", mode=mode, top_k=50)).results
        assert left.source["document_id"] == IDS[0], mode


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}], ids=["nan", "object", "set"])
def test_metadata_that_json_cannot_hold_is_refused_at_the_door(value: object) -> None:
    with pytest.raises(
        (TypeError, ValueError), match=r"metadata of the document 'raw/a.txt' must be what JSON can hold"
    ):
        SourceDocument("raw/a.txt", metadata={"x": value})


def test_an_id_with_nul_is_refused_because_no_database_gives_it_back() -> None:
    with pytest.raises(ValueError, match="holds a NUL"):
        SourceDocument("raw/a.txt", document_id="a\0b")

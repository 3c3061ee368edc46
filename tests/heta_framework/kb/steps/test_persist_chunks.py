"""Chunks in a SQL table: built, updated, deleted with their knowledge base, and apart from those of others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from heta_framework.common.stores import MemoryObjectStore, SQLStore
from heta_framework.kb import (
    ChunkTableNames,
    DocumentParserRegistry,
    KnowledgeBase,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    PersistChunks,
    PersistChunksConfig,
    SplitDocuments,
    SplitDocumentsConfig,
    TextParser,
)

pytestmark = pytest.mark.anyio
_TEXTS = {"raw/a.txt": "A lamp burns whale oil.", "raw/b.txt": "The ferry sails on Tuesday."}


@pytest.fixture(params=["sqlite", "postgresql"])
async def sql(request: Any) -> AsyncIterator[SQLStore]:
    """A database."""
    store = SQLStore("sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres"))
    yield store
    await store.aclose()


async def _recipe(sql: Any, objects: MemoryObjectStore | None = None) -> KnowledgeRecipe:
    store = objects or MemoryObjectStore()
    for key, text in _TEXTS.items():
        await store.put(key, text.encode())
    return KnowledgeRecipe(
        stores=KnowledgeStores(objects=store, sql=sql),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
        steps=(
            ParseDocuments(),
            SplitDocuments(SplitDocumentsConfig(encoding_name="unicode", chunk_size=500, overlap=0)),
            PersistChunks(),
        ),
    )


async def _found(kb: KnowledgeBase, question: str, **more: Any) -> list[str]:
    response = await kb.query(question, mode="sql_text_search", **more)
    return [result.source["object_key"] for result in response.results]


async def _tables(sql: SQLStore) -> set[str]:
    if sql.dialect == "sqlite":
        rows = await sql.fetch_all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    else:
        rows = await sql.fetch_all("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
    return {row["name"] for row in rows}


async def test_a_question_finds_chunks_by_its_words(sql: SQLStore) -> None:
    kb = await KnowledgeBase.create(recipe=await _recipe(sql), name="sea")
    assert await _found(kb, "What do lamps burn?") == ["raw/a.txt"]
    assert await _found(kb, "lamp ferry", filters={"source_name": "b.txt"}) == ["raw/b.txt"]
    assert kb.run_record.artifacts["persist_chunks_result"].chunk_count == 2
    response = await kb.query("lamp", mode="sql_text_search", trace=True)
    assert response.metadata["table"] == "chunks"
    assert response.metadata["dialect"] == sql.dialect
    assert response.metadata["retrieval_method"] == "sql_text_search"
    assert response.results[0].metadata["source"]["key"] == "raw/a.txt"
    assert [event.stage for event in response.trace] == ["sql_text_search"]


async def test_an_update_adds_and_removes(sql: SQLStore) -> None:
    recipe = await _recipe(sql)
    kb = await KnowledgeBase.create(recipe=recipe, name="sea")
    gone = next(entry.document_id for entry in await kb.documents() if entry.key == "raw/a.txt")
    await recipe.stores.objects.put("raw/c.txt", b"A lamp of glass.")  # type: ignore[attr-defined]
    kb = await kb.update(add=["raw/c.txt"], remove=[gone])
    assert sorted(await _found(kb, "lamp ferry")) == ["raw/b.txt", "raw/c.txt"]


async def test_two_knowledge_bases_of_a_database_never_meet(sql: SQLStore) -> None:
    one = await KnowledgeBase.create(recipe=await _recipe(sql), name="one")
    other = await KnowledgeBase.create(
        recipe=await _recipe(sql), name="other", initial_artifacts={"source_keys": ("raw/b.txt",)}
    )
    assert await _found(other, "lamp ferry") == ["raw/b.txt"]
    deletion = await one.delete()
    assert deletion.issues == ()
    assert await _found(other, "lamp ferry") == ["raw/b.txt"]
    assert not [name for name in await _tables(sql) if "one" in name]
    await other.delete()
    assert await _tables(sql) == set()


async def test_a_table_that_the_database_lost_is_built_again() -> None:
    objects = MemoryObjectStore()
    await KnowledgeBase.create(recipe=await _recipe(SQLStore("sqlite://"), objects), name="sea")
    after_restart = SQLStore("sqlite://")
    kb = await KnowledgeBase.load(recipe=await _recipe(after_restart, objects), name="sea")
    assert await _found(kb, "lamp") == ["raw/a.txt"]
    await after_restart.aclose()


def test_what_the_step_declares() -> None:
    step = PersistChunks(PersistChunksConfig(ChunkTableNames("passages"), sql_store="archive"))
    asset = step.capabilities.search_assets[0]
    assert (asset.key, asset.store) == ("chunk_text_index:passages", "stores.sql.archive")
    assert step.capabilities.queries == {"sql_text_search"}
    assert {ref.key for ref in step.requirements.components} == {"stores.objects", "stores.sql.archive"}
    assert step.requirements.artifacts == {"chunk_keys"}


def test_of_a_build_that_was_cut_every_table_that_may_be_there_is_deleted() -> None:
    plan = PersistChunks().cleanup_plan({"kb_namespace": "sea_0"})
    assert [target.value for target in plan.targets] == ["chunks__sea_0_fts", "chunks__sea_0"]
    assert PersistChunks().cleanup_plan({}).targets == ()


@pytest.mark.parametrize("name", ["", " ", "a b", 'a"; DROP TABLE b', "1st"])
def test_a_table_has_a_simple_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"table_names\.chunks|table name"):
        ChunkTableNames(name)


def test_an_unknown_dialect_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"dialect must be one of: generic, postgresql; .*did you mean postgresql"):
        PersistChunksConfig(dialect="postgres")  # type: ignore[arg-type]

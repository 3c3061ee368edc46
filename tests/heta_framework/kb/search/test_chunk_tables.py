"""Chunks in SQL: the same ranking in every dialect, and no question that is syntax in any."""

from __future__ import annotations

from collections.abc import AsyncIterator
from math import log
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.stores.sql import SQLStore
from heta_framework.kb.chunk_tables.generic import GenericChunkTable
from heta_framework.kb.chunk_tables.opening import dialect_of, open_chunk_table, possible_tables
from heta_framework.kb.chunk_tables.postgresql import PostgresChunkTable
from heta_framework.kb.chunk_tables.sqlite import SqliteChunkTable
from heta_framework.kb.chunk_tables.table import ChunkTable

pytestmark = pytest.mark.anyio
_DIALECTS = ["sqlite", "postgresql", "generic"]
_TEXTS = {
    "a": "The lamps of the harbour burn whale oil all night.",
    "b": "A lamp, a lamp, a lamp: nothing but lamps.",
    "c": "Fishing boats left before dawn.",
    "d": "The fisherman's boat has 3.5 metres, or 100% of what_he_said.",
    "e": "Bread and butter for breakfast.",
}
_HOSTILE = [
    '"',
    "'",
    'lamp"',
    "lamp OR",
    "lamp AND NOT oil",
    "lamp NEAR(oil, 3)",
    "lamp*",
    "^lamp",
    "{content_text}: lamp",
    "lamp - oil + (",
    "lamp & | ! <-> oil:*",
    "lamp \\' \\",
    ":words lamp :top_k",
    "'); DROP TABLE chunks; -- lamp",
    "lamp\0oil",
    "lamp \ud800",
    "lamp _ __ %",
]


@pytest.fixture
async def store(request: Any) -> AsyncIterator[SQLStore]:
    """SQLite in memory, or a fresh database of a PostgreSQL server."""
    server = getattr(request, "param", "sqlite") == "postgresql"
    opened = SQLStore(request.getfixturevalue("postgres") if server else "sqlite://")
    yield opened
    await opened.aclose()


async def _table(store: SQLStore, dialect: str, kit: Any, **texts: str) -> ChunkTable:
    table = GenericChunkTable(store, "chunks") if dialect == "generic" else open_chunk_table(store, "chunks")
    await table.create()
    await table.upsert([kit.make_chunk(name, text) for name, text in (texts or _TEXTS).items()])
    await table.settle()
    return table


async def _found(table: ChunkTable, question: str, **filters: Any) -> list[str]:
    rows = await table.search(question, 10, filters)
    return [row.chunk_id.removeprefix("chunk_") for row in rows]


_each = pytest.mark.parametrize(
    ("dialect", "store"),
    [(dialect, "postgresql" if dialect == "postgresql" else "sqlite") for dialect in _DIALECTS],
    indirect=["store"],
    ids=_DIALECTS,
)


@_each
async def test_words_are_found_whatever_their_ending_and_order(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit)
    assert await _found(table, "Which boat went fishing?") == ["c", "d"]
    assert await _found(table, "lamp") == ["b", "a"]
    assert await _found(table, "lamp with whale oil") == ["a", "b"]
    assert await _found(table, "amp") == []
    assert await _found(table, "3.5 METRES") == ["d"]
    assert await _found(table, "of what, and for what is the oil?") == ["a"]


@_each
async def test_scores_are_bm25(dialect: str, store: SQLStore, kit: Any) -> None:
    texts = {"a": "oil oil lamp rope", "b": "oil", "c": "rope", "d": "rope", "e": "rope sail"}
    table = await _table(store, dialect, kit, **texts)
    rows = await table.search("oil", 5, {})
    # FTS5 weighs a word by ln((N - n + 0.5) / (n + 0.5)), Lucene by ln(1 + the same)
    idf = log(3.5 / 2.5) if dialect == "sqlite" else log(1 + 3.5 / 2.5)
    mean = 9 / 5
    expected = {
        name: idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean))
        for name, tf, length in (("a", 2, 4), ("b", 1, 1))
    }
    assert {row.chunk_id.removeprefix("chunk_"): row.score for row in rows} == pytest.approx(expected, rel=1e-5)


@_each
async def test_no_question_is_syntax(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit)
    for question in _HOSTILE:
        assert ("b" in await _found(table, question)) == ("lamp" in question), question
    assert await table.count() == len(_TEXTS)


@_each
async def test_a_question_without_known_words_finds_nothing(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit)
    for question in ("", "   ", "?!", "%", "_", "qwertz", "\U0001f6a2"):
        assert await _found(table, question) == [], question


@pytest.mark.parametrize("dialect", ["sqlite", "generic"])
def test_any_text_can_be_asked(dialect: str, kit: Any) -> None:
    opened: list[Any] = []

    async def search(question: str) -> None:
        if not opened:
            opened.append(await _table(SQLStore("sqlite://"), dialect, kit))
        for row in await opened[0].search(question, 3, {question: question}):
            pytest.fail(f"no record carries {row}")
        await opened[0].search(question, 3, {})

    @settings(max_examples=60, deadline=None)
    @given(st.one_of(st.text(max_size=40), st.text("\"*^(){}:-+&|!<>'\\%_.,; \0", max_size=30)))
    def ask(question: str) -> None:
        runner.call(search, question)

    with anyio.from_thread.start_blocking_portal() as runner:
        ask()
        runner.call(opened[0].store.aclose)


@_each
async def test_very_long_questions_are_answered(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit)
    assert "b" in await _found(table, "lamp " + " ".join(f"word{number}" for number in range(9_000)))


@_each
async def test_filters_compare_values_as_json(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit)
    await table.upsert([kit.make_chunk("f", "A lamp.", tags=["x"], year=1900)])
    assert await _found(table, "lamp", document_id="a") == ["a"]
    assert await _found(table, "lamp", source_key="raw/b.txt", page_index=0) == ["b"]
    assert await _found(table, "lamp", document_metadata={"year": 1900, "tags": ["x"]}) == ["f"]
    for nothing in ({"page_index": "0"}, {"page_index": False}, {"page_index": None}, {"missing": None}, {"a'b\"": 1}):
        assert await _found(table, "lamp", **nothing) == []
    await table.upsert([kit.make_chunk("g", "A lamp.", year=10**30)])
    assert await _found(table, "lamp", **{"document_metadata.year": 10**30}) == ["g"]
    assert await _found(table, "lamp", page_index=10**30) == []


@_each
async def test_a_filter_finds_what_ranks_below_everything_else(dialect: str, store: SQLStore, kit: Any) -> None:
    texts = {f"n{number:02}": "lamp" for number in range(30)} | {"z": "lamp " + "rope " * 30}
    table = await _table(store, dialect, kit, **texts)
    assert [row.chunk_id for row in await table.search("lamp", 1, {"document_id": "z"})] == ["chunk_z"]


@_each
async def test_equal_texts_are_in_the_order_of_ids(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit, **dict.fromkeys("cBab", "lamp"), x="rope", y="sail", z="oar")
    assert await _found(table, "lamp") == ["B", "a", "b", "c"]


@_each
async def test_chunks_are_replaced_and_removed(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit)
    await table.upsert([kit.make_chunk("a", "Nothing but rope.")])
    assert (await table.count(), await _found(table, "whale"), await _found(table, "rope")) == (5, [], ["a"])
    await table.delete(["chunk_a", "chunk_nobody"])
    await table.upsert([])
    assert (await table.count(), await _found(table, "rope")) == (4, [])
    await table.create()
    assert await table.count() == 4
    await table.drop()
    await table.drop()
    with pytest.raises(Exception, match=r"no such table|does not exist"):
        await table.count()


@_each
async def test_texts_that_no_database_takes_are_mended(dialect: str, store: SQLStore, kit: Any) -> None:
    table = await _table(store, dialect, kit, a="a lamp\0 with \ud800 oil")
    assert [row.text for row in await table.search("lamp", 1, {})] == ["a lamp\ufffd with \ufffd oil"]


async def test_the_store_decides_on_the_dialect(store: SQLStore) -> None:
    class Silent:
        """A store of the caller's own that does not say."""

    silent: Any = Silent()
    assert isinstance(open_chunk_table(store, "t", "postgresql"), SqliteChunkTable)
    assert isinstance(open_chunk_table(silent, "t"), GenericChunkTable)
    assert isinstance(open_chunk_table(silent, "t", "postgresql"), PostgresChunkTable)
    assert (dialect_of(store), dialect_of(silent)) == ("sqlite", "generic")
    assert set(open_chunk_table(store, "t").tables) == set(possible_tables("t"))


@pytest.mark.parametrize("name", ['chunks"; DROP TABLE x', "a b", "1a", "", "ä", "x" * 58])
async def test_names_that_a_database_might_change_are_refused(store: SQLStore, name: str) -> None:
    with pytest.raises(ValueError, match="table name"):
        open_chunk_table(store, name)

"""The asynchronous store over tantivy, in memory and in a directory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

from heta_framework.common.stores.text_index import (
    TantivyTextIndexStore,
    TextIndexConfig,
    TextIndexError,
    TextIndexRecord,
    TextIndexStoreProtocol,
    TextQuery,
)

_T = TypeVar("_T")
_RECORDS = [
    TextIndexRecord("d1", "Green tea from the market", {"lang": "en", "year": 2021}),
    TextIndexRecord("d2", "Tea and a boat", {"lang": "en", "year": 2022}),
    TextIndexRecord("d3", "Snow in the garden", {"lang": "en"}),
    TextIndexRecord("d4", "", {}),
]


def _run(work: Callable[[], Awaitable[_T]]) -> _T:
    return anyio.run(work)


@pytest.fixture(params=["memory", "directory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> TantivyTextIndexStore:
    return TantivyTextIndexStore(tmp_path / "indexes" if request.param == "directory" else None)


async def _filled(store: TantivyTextIndexStore, name: str = "notes") -> None:
    await store.create_index(TextIndexConfig(name))
    await store.upsert(name, _RECORDS)


def test_it_satisfies_the_protocol(store: TantivyTextIndexStore) -> None:
    assert isinstance(store, TextIndexStoreProtocol)


def test_hits_carry_text_and_metadata_best_first(store: TantivyTextIndexStore) -> None:
    async def work() -> None:
        await _filled(store)
        hits = await store.search("notes", TextQuery("boats and teas", top_k=2))
        assert [(hit.id, hit.text, hit.metadata) for hit in hits] == [
            ("d2", "Tea and a boat", {"lang": "en", "year": 2022}),
            ("d1", "Green tea from the market", {"lang": "en", "year": 2021}),
        ]
        assert hits[0].score > hits[1].score > 0

    _run(work)


def test_filters_compare_metadata_and_missing_keys_never_match(store: TantivyTextIndexStore) -> None:
    async def work() -> None:
        await _filled(store)
        assert [hit.id for hit in await store.search("notes", TextQuery("tea", filters={"year": 2021}))] == ["d1"]
        assert await store.search("notes", TextQuery("snow", filters={"year": None})) == []

    _run(work)


def test_upsert_replaces_and_delete_removes(store: TantivyTextIndexStore) -> None:
    async def work() -> None:
        await _filled(store)
        await store.upsert("notes", [TextIndexRecord("d1", "Violin")])
        await store.delete("notes", ["d2", "unknown"])
        assert await store.search("notes", TextQuery("tea")) == []
        assert [hit.id for hit in await store.search("notes", TextQuery("violins"))] == ["d1"]
        assert await store.count("notes") == 3

    _run(work)


@pytest.mark.parametrize("text", ["", '"', "AND", "a:b^c~", "\ud800", "🫖", pytest.param("tea " * 250_000, id="1 MB")])
def test_no_query_text_fails(store: TantivyTextIndexStore, text: str) -> None:
    async def work() -> None:
        await _filled(store)
        hits = await store.search("notes", TextQuery(text))
        assert {hit.id for hit in hits} <= {"d1", "d2"}

    _run(work)


def test_a_directory_keeps_indexes_with_any_name(tmp_path: Path) -> None:
    name = "../evil/../ name."

    async def work() -> None:
        await _filled(TantivyTextIndexStore(tmp_path / "root"), name)
        again = TantivyTextIndexStore(tmp_path / "root")
        assert await again.count(name) == 4
        assert [hit.id for hit in await again.search(name, TextQuery("boat"))] == ["d2"]
        with pytest.raises(ValueError, match=r"'absent' does not exist; known: \.\./evil/\.\./ name\."):
            await again.count("absent")
        await again.drop_index(name)
        assert list((tmp_path / "root").iterdir()) == []

    _run(work)
    assert [path.name for path in tmp_path.iterdir()] == ["root"]


def test_an_index_that_another_process_writes_is_told_apart(tmp_path: Path) -> None:
    holder = (
        "import sys, tantivy\n"
        "writer = tantivy.Index.open(sys.argv[1]).writer(15_000_000, 1)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    store = TantivyTextIndexStore(tmp_path)
    _run(lambda: _filled(store))
    command = [sys.executable, "-c", holder, str(tmp_path / "notes")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(TextIndexError, match="is being written by another process"):
            _run(lambda: store.delete("notes", ["d1"]))
        process.communicate()
    _run(lambda: store.delete("notes", ["d1"]))


def test_a_kill_leaves_exactly_the_committed_upserts(tmp_path: Path) -> None:
    writer = (
        "import anyio, itertools, sys\n"
        "from heta_framework.common.stores.text_index import TantivyTextIndexStore, TextIndexConfig, TextIndexRecord\n"
        "async def write():\n"
        "    store = TantivyTextIndexStore(sys.argv[1])\n"
        "    await store.create_index(TextIndexConfig('notes'))\n"
        "    for number in itertools.count():\n"
        "        ids = range(number * 200, number * 200 + 200)\n"
        "        await store.upsert('notes', [TextIndexRecord(str(n), f'word{n} tea') for n in ids])\n"
        "        print(number, flush=True)\n"
        "anyio.run(write)\n"
    )
    command = [sys.executable, "-c", writer, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(3)]
        process.kill()
        told += [int(line) for line in process.stdout.read().splitlines()]
    store = TantivyTextIndexStore(tmp_path)
    count = _run(lambda: store.count("notes"))
    assert count in (200 * (told[-1] + 1), 200 * (told[-1] + 2))  # the last one may be committed and not told
    _run(lambda: store.upsert("notes", [TextIndexRecord("after", "tea")]))
    assert _run(lambda: store.count("notes")) == count + 1
    (hit,) = _run(lambda: store.search("notes", TextQuery(f"word{count - 1}")))
    assert hit.id == str(count - 1)


def test_a_damaged_index_can_be_dropped_and_built_again(tmp_path: Path) -> None:
    _run(lambda: _filled(TantivyTextIndexStore(tmp_path)))
    (tmp_path / "notes" / "meta.json").write_text("{")
    store = TantivyTextIndexStore(tmp_path)
    with pytest.raises(TextIndexError, match=r"cannot be used .*drop it and build it again"):
        _run(lambda: store.search("notes", TextQuery("tea")))
    _run(lambda: store.drop_index("notes"))
    _run(lambda: _filled(store))
    assert _run(lambda: store.count("notes")) == 4


def test_the_same_config_again_changes_nothing_and_another_is_refused(store: TantivyTextIndexStore) -> None:
    async def work() -> None:
        await _filled(store)
        await store.create_index(TextIndexConfig("notes"))
        assert await store.count("notes") == 4
        with pytest.raises(ValueError, match="exists with stemmer 'english', asked for 'none'"):
            await store.create_index(TextIndexConfig("notes", stemmer="none"))

    _run(work)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([TextIndexRecord("x", "one"), TextIndexRecord("x", "two")], "'x' comes twice"),
        ([TextIndexRecord("x", "one", {"bad": object()})], "metadata of record 'x'"),
        ([TextIndexRecord("x", "one", {"bad": float("nan")})], "metadata of record 'x'"),
    ],
)
def test_a_bad_batch_writes_nothing(store: TantivyTextIndexStore, records: list[TextIndexRecord], message: str) -> None:
    async def work() -> None:
        await _filled(store)
        with pytest.raises(ValueError, match=message):
            await store.upsert("notes", records)
        assert await store.count("notes") == 4

    _run(work)


def test_every_call_names_an_unknown_index(store: TantivyTextIndexStore) -> None:
    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: store.upsert("nots", []),
        lambda: store.search("nots", TextQuery("x")),
        lambda: store.delete("nots", []),
        lambda: store.count("nots"),
    ]

    async def work() -> None:
        await _filled(store)
        for call in calls:
            with pytest.raises(ValueError, match="'nots' does not exist; known: notes"):
                await call()

    _run(work)


def test_concurrent_writers_and_readers_lose_nothing(store: TantivyTextIndexStore) -> None:
    async def work() -> None:
        await store.create_index(TextIndexConfig("notes"))
        async with anyio.create_task_group() as group:
            for n in range(8):
                group.start_soon(store.upsert, "notes", [TextIndexRecord(f"r{n}", "tea")])
                group.start_soon(store.search, "notes", TextQuery("tea"))
        assert await store.count("notes") == 8

    _run(work)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TextIndexConfig(" "), "name must not be empty"),
        (lambda: TextIndexConfig("x", stemmer="german"), "stemmer must be one of: english, none"),  # type: ignore[arg-type]
        (lambda: TextIndexRecord("", "x"), "id must not be empty"),
        (lambda: TextQuery("x", top_k=0), "top_k must be greater than zero"),
    ],
)
def test_value_types_refuse_what_cannot_work(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()

"""Every text index store finds the same records in the same order and gives back what was stored."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heta_framework.common.stores.text_index import (
    InMemoryTextIndexStore,
    TantivyTextIndexStore,
    TextIndexConfig,
    TextIndexRecord,
    TextIndexStoreProtocol,
    TextQuery,
)
from heta_framework.common.stores.text_index.elasticsearch import (
    ElasticsearchTextIndexStore,
    ElasticsearchTextIndexStoreConfig,
)

if TYPE_CHECKING:
    from search_server import SearchServer

pytestmark = pytest.mark.anyio

_NAME = "Notes / 2024.é"
_RECORDS = [
    TextIndexRecord("d1", "Green tea from the market, green as ever", {"lang": "en", "year": 2021}),
    TextIndexRecord("d2", "Tea and a boat", {"lang": "en", "year": 2022, "tags": ["a", "b"]}),
    TextIndexRecord("d3", "Snow in the garden", {"lang": "de", "year": 2021.0}),
    TextIndexRecord("d 4/ü", "Boats, boats, boats", {"nested": {"read": True}, 'co"lo\\ur': "ré\u2028d"}),
    TextIndexRecord("same b", "Violins sound alike"),
    TextIndexRecord("same a", "Violins sound alike"),
    TextIndexRecord("d5", "", {}),
]


def _server_store(engine: Any, module: str) -> Any:
    return pytest.param(engine, marks=pytest.mark.skipif(find_spec(module) is None, reason=f"needs the extra {engine}"))


@pytest.fixture
def search_server() -> Iterator[SearchServer]:
    from search_server import SearchServer

    server = SearchServer()
    yield server
    server.close()


_STORES = [
    "memory",
    "directory",
    _server_store("elasticsearch", "elasticsearch"),
    _server_store("opensearch", "opensearchpy"),
]


@pytest.fixture(params=_STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[TextIndexStoreProtocol]:
    opened: TextIndexStoreProtocol
    if request.param == "memory":
        opened = InMemoryTextIndexStore()
    elif request.param == "directory":
        opened = TantivyTextIndexStore(tmp_path)
    else:
        server: SearchServer = request.getfixturevalue("search_server")
        opened = ElasticsearchTextIndexStore(ElasticsearchTextIndexStoreConfig(server.url, engine=request.param))
    yield opened
    await opened.aclose()


async def _filled(store: TextIndexStoreProtocol, name: str = _NAME) -> None:
    await store.create_index(TextIndexConfig(name))
    await store.upsert(name, _RECORDS[:3])
    await store.upsert(name, _RECORDS[3:])


async def _found(store: TextIndexStoreProtocol, text: str, **query: Any) -> list[str]:
    return [hit.id for hit in await store.search(_NAME, TextQuery(text, **query))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("boating with teas", ["d2", "d 4/ü", "d1"]),
        ("GREEN", ["d1"]),
        ("violin", ["same a", "same b"]),
        ("nothing of it", []),
        ('"; AND OR (*:*) {}^~ tea', ["d2", "d1"]),
        ("", []),
        ("?!", []),
        ("half \ud800 tea", ["d2", "d1"]),
        pytest.param("tea " * 50_000, ["d2", "d1"], id="long"),
        pytest.param(" ".join(f"w{n}" for n in range(5_000)), [], id="many words"),
    ],
)
async def test_the_best_records_come_first_and_equal_ones_by_id(
    store: TextIndexStoreProtocol, text: str, expected: list[str]
) -> None:
    await _filled(store)
    assert await _found(store, text) == expected


async def test_hits_carry_text_metadata_and_falling_scores(store: TextIndexStoreProtocol) -> None:
    await _filled(store)
    hits = await store.search(_NAME, TextQuery("boat tea", top_k=2))
    assert [(hit.id, hit.text, hit.metadata) for hit in hits] == [
        ("d2", "Tea and a boat", {"lang": "en", "year": 2022, "tags": ["a", "b"]}),
        ("d 4/ü", "Boats, boats, boats", {"nested": {"read": True}, 'co"lo\\ur': "ré\u2028d"}),
    ]
    assert hits[0].score > hits[1].score > 0


async def test_filters_compare_with_equality(store: TextIndexStoreProtocol) -> None:
    await _filled(store)
    text = "tea boat snow violin"
    for wanted, expected in [
        ({"year": 2021}, {"d1", "d3"}),
        ({"year": 2021, "lang": "en"}, {"d1"}),
        ({"tags": ["a", "b"]}, {"d2"}),
        ({"tags": ["a"]}, set()),
        ({"tags": "a"}, set()),
        ({"nested": {"read": 1}}, {"d 4/ü"}),
        ({'co"lo\\ur': "ré\u2028d"}, {"d 4/ü"}),
        ({"year": None}, set()),
    ]:
        assert set(await _found(store, text, filters=wanted)) == expected, wanted


async def test_upsert_replaces_and_delete_removes(store: TextIndexStoreProtocol) -> None:
    await _filled(store)
    await store.upsert(_NAME, [TextIndexRecord("d1", "A lighthouse")])
    await store.delete(_NAME, ["d2", "never seen"])
    await store.delete(_NAME, [])
    assert await _found(store, "tea") == []
    assert await _found(store, "lighthouses") == ["d1"]
    assert await store.count(_NAME) == 6


async def test_a_refused_batch_writes_nothing(store: TextIndexStoreProtocol) -> None:
    await _filled(store)
    good = TextIndexRecord("good", "tea")
    for bad, message in [
        (TextIndexRecord("good", "again"), "'good' comes twice"),
        (TextIndexRecord("bad", "x", {"when": object()}), "metadata of record 'bad'"),
    ]:
        with pytest.raises(ValueError, match=message):
            await store.upsert(_NAME, [good, bad])
    assert await store.count(_NAME) == len(_RECORDS)


async def test_indexes_are_made_once_and_dropped(store: TextIndexStoreProtocol) -> None:
    await _filled(store)
    await store.create_index(TextIndexConfig(_NAME))
    assert await store.count(_NAME) == len(_RECORDS)
    with pytest.raises(ValueError, match="exists with stemmer 'english', asked for 'none'"):
        await store.create_index(TextIndexConfig(_NAME, stemmer="none"))
    await store.drop_index(_NAME)
    await store.drop_index(_NAME)
    await store.create_index(TextIndexConfig(_NAME, stemmer="none"))
    await store.upsert(_NAME, _RECORDS)
    assert await _found(store, "violin boats") == ["d 4/ü"]


async def test_every_call_names_an_unknown_index(store: TextIndexStoreProtocol) -> None:
    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: store.upsert("noted", _RECORDS),
        lambda: store.search("noted", TextQuery("x")),
        lambda: store.delete("noted", ["d1"]),
        lambda: store.count("noted"),
    ]
    await _filled(store)
    for call in calls:
        with pytest.raises(ValueError, match="'noted' does not exist"):
            await call()

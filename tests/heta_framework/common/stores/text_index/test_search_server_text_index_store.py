"""The text index store on Elasticsearch and OpenSearch: what is sent, what is refused, and that keys stay hidden."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from heta_framework.common.stores.text_index import TextIndexConfig, TextIndexError, TextIndexRecord, TextQuery
from heta_framework.common.stores.text_index.elasticsearch import (
    ElasticsearchTextIndexStore,
    ElasticsearchTextIndexStoreConfig,
)

if TYPE_CHECKING:
    from search_server import SearchServer

pytestmark = pytest.mark.anyio
_SECRET = "hidden-7Qm2"  # noqa: S105


@pytest.fixture
def server() -> Iterator[SearchServer]:
    from search_server import SearchServer

    running = SearchServer()
    yield running
    running.close()


@pytest.fixture(params=["elasticsearch", "opensearch"])
def engine(request: pytest.FixtureRequest) -> Any:
    module = {"elasticsearch": "elasticsearch", "opensearch": "opensearchpy"}[request.param]
    if find_spec(module) is None:
        pytest.skip(f"needs the extra {request.param}")
    return request.param


async def test_a_refused_document_is_named_with_the_reason(server: SearchServer, engine: Any) -> None:
    store = ElasticsearchTextIndexStore(ElasticsearchTextIndexStoreConfig(server.url, engine=engine))
    await store.create_index(TextIndexConfig("notes"))
    with pytest.raises(TextIndexError, match=r"'culprit'.*as the test wants"):
        await store.upsert("notes", [TextIndexRecord("fine", "tea"), TextIndexRecord("culprit", "refuse me")])
    await store.aclose()


async def test_ids_of_any_length_are_kept(server: SearchServer, engine: Any) -> None:
    store = ElasticsearchTextIndexStore(ElasticsearchTextIndexStoreConfig(server.url, engine=engine))
    await store.create_index(TextIndexConfig("notes"))
    long = "ü" * 400
    await store.upsert("notes", [TextIndexRecord(long, "tea"), TextIndexRecord(f"{long}2", "tea")])
    assert [hit.id for hit in await store.search("notes", TextQuery("tea"))] == [long, f"{long}2"]
    await store.delete("notes", [long])
    assert await store.count("notes") == 1
    await store.aclose()


async def test_fields_and_refreshing_are_as_configured(server: SearchServer, engine: Any) -> None:
    config = ElasticsearchTextIndexStoreConfig(
        [server.url], refresh_after_write=False, content_field="body", metadata_field="about", engine=engine
    )
    store = ElasticsearchTextIndexStore(config)
    await store.create_index(TextIndexConfig("notes"))
    await store.upsert("notes", [TextIndexRecord("a", "tea", {"x": 1})])
    (hit,) = await store.search("notes", TextQuery("tea"))
    assert (hit.text, hit.metadata) == ("tea", {"x": 1})
    assert server.indexes["notes"].documents["a"].items() >= {"body": "tea", "about": {"x": 1}}.items()
    assert not any("refresh=true" in path for _, path in server.requests)
    await store.aclose()


async def test_keys_are_sent_and_shown_nowhere(server: SearchServer, engine: Any) -> None:
    host = server.url.replace("//", f"//me:{_SECRET}@")
    for config in (
        ElasticsearchTextIndexStoreConfig(server.url, api_key=("id", _SECRET), engine=engine),
        ElasticsearchTextIndexStoreConfig(server.url, basic_auth=("me", _SECRET), engine=engine),
        ElasticsearchTextIndexStoreConfig(host, engine=engine),
    ):
        store = ElasticsearchTextIndexStore(config)
        assert not await store.has_index("notes")
        assert server.headers[-1]["authorization"].split()[0] in ("ApiKey", "Basic")
        assert _SECRET not in repr(store) + repr(config)
        await store.aclose()


async def test_a_server_that_is_away_is_named_without_the_password(engine: Any) -> None:
    config = ElasticsearchTextIndexStoreConfig(f"http://me:{_SECRET}@127.0.0.1:9", request_timeout=0.2, engine=engine)
    store = ElasticsearchTextIndexStore(config)
    with pytest.raises(TextIndexError, match=rf"{engine} at http://me:\*\*\*@127.0.0.1:9") as caught:
        await store.count("notes")
    assert _SECRET not in "".join(traceback.format_exception(caught.value))
    await store.aclose()


async def test_a_client_and_a_helper_of_ones_own_are_used() -> None:
    sent: list[Any] = []

    class Indices:
        async def exists(self, *, index: str) -> bool:
            return True

    class Client:
        indices = Indices()

        async def search(self, **body: Any) -> Any:
            sent.append(body)
            return {"hits": {"hits": [{"_id": "a", "_score": 1.5, "_source": {"content_text": "t"}}]}}

    async def helper(client: Any, actions: Any, **options: Any) -> Any:
        sent.append((client, actions, options))

    client = Client()
    store = ElasticsearchTextIndexStore(client=client, bulk_helper=helper)
    await store.upsert("i", [TextIndexRecord("a", "hello", {"x": 1})])
    used, (action,), options = sent.pop()
    assert (used, action["_op_type"], action["_id"], options) == (client, "index", "a", {"refresh": True})
    (hit,) = await store.search("i", TextQuery("hello", 5))
    assert (hit.id, hit.text, hit.score, hit.metadata) == ("a", "t", 1.5, {})
    assert sent.pop()["size"] == 5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hosts": ""}, "hosts must not be empty"),
        ({"hosts": []}, "hosts must not be empty"),
        ({"request_timeout": 0}, "request_timeout must be greater than zero"),
        ({"content_field": " "}, "content_field must not be empty"),
        ({"engine": "solr"}, "engine must be one of: elasticsearch, opensearch"),
    ],
)
def test_a_config_that_cannot_work_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ElasticsearchTextIndexStoreConfig(**settings)

"""The official clients of both servers, behind the same few awaitable calls: those of Elasticsearch's asynchronous one.

Elasticsearch's client runs on httpx here, OpenSearch's blocking one in worker threads, so neither needs a further HTTP
library.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from anyio import to_thread

from heta_framework.common.stores.text_index.errors import TextIndexError
from heta_framework.common.stores.text_index.search_server.config import ElasticsearchTextIndexStoreConfig

Action = Mapping[str, Any]
BulkHelper = Callable[..., Awaitable[Any]]


def open_client(config: ElasticsearchTextIndexStoreConfig) -> tuple[Any, BulkHelper]:
    """A client for the server, and its helper for bulk requests.

    Raises:
        TextIndexError: the extra is not installed.
    """
    opener = _elasticsearch if config.engine == "elasticsearch" else _opensearch
    try:
        return opener(config)
    except ImportError as error:
        raise TextIndexError(
            f'{config.engine} needs its client ({error}); install it with: pip install "heams[{config.engine}]"'
        ) from None


def elasticsearch_bulk() -> BulkHelper:
    """Elasticsearch's own helper for bulk requests."""
    from elasticsearch.helpers import async_bulk

    helper: BulkHelper = async_bulk
    return helper


def _elasticsearch(config: ElasticsearchTextIndexStoreConfig) -> tuple[Any, BulkHelper]:
    from elastic_transport import HttpxAsyncHttpNode
    from elasticsearch import AsyncElasticsearch

    client = AsyncElasticsearch(
        config.addresses,
        node_class=HttpxAsyncHttpNode,
        api_key=config.api_key,
        basic_auth=config.basic_auth,
        request_timeout=config.request_timeout,
        retry_on_timeout=True,
    )
    return client, elasticsearch_bulk()


def _opensearch(config: ElasticsearchTextIndexStoreConfig) -> tuple[Any, BulkHelper]:
    from opensearchpy import OpenSearch

    client = OpenSearch(
        config.addresses,
        http_auth=config.basic_auth,
        headers=_key_header(config.api_key),
        timeout=config.request_timeout,
        retry_on_timeout=True,
    )
    return _InThreads(client), _bulk_in_thread


def _key_header(key: str | tuple[str, str] | None) -> dict[str, str] | None:
    if key is None:
        return None
    from base64 import b64encode

    encoded = key if isinstance(key, str) else b64encode(":".join(key).encode()).decode()
    return {"Authorization": f"ApiKey {encoded}"}


class _InThreads:
    """OpenSearch's blocking client; keyword arguments other than names and parameters are parts of the body."""

    def __init__(self, client: Any) -> None:
        self.blocking = client
        self.indices = _IndicesInThreads(client.indices)

    async def search(self, *, index: str, **body: Any) -> Any:
        return await to_thread.run_sync(lambda: self.blocking.search(index=index, body=body))

    async def count(self, *, index: str) -> Any:
        return await to_thread.run_sync(lambda: self.blocking.count(index=index))

    async def close(self) -> None:
        await to_thread.run_sync(self.blocking.close)


class _IndicesInThreads:
    def __init__(self, indices: Any) -> None:
        self._blocking = indices

    async def exists(self, *, index: str) -> Any:
        return await to_thread.run_sync(lambda: self._blocking.exists(index=index))

    async def create(self, *, index: str, **body: Any) -> Any:
        return await to_thread.run_sync(lambda: self._blocking.create(index=index, body=body))

    async def get_mapping(self, *, index: str) -> Any:
        return await to_thread.run_sync(lambda: self._blocking.get_mapping(index=index))

    async def delete(self, *, index: str, ignore_unavailable: bool) -> Any:
        return await to_thread.run_sync(
            lambda: self._blocking.delete(index=index, ignore_unavailable=ignore_unavailable)
        )


async def _bulk_in_thread(client: _InThreads, actions: Iterable[Action], **options: Any) -> Any:
    from opensearchpy.helpers import bulk

    return await to_thread.run_sync(lambda: bulk(client.blocking, actions, **options))

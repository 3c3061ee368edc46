"""The text index store on an Elasticsearch or OpenSearch server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from heta_framework.common.stores.fields import unique_ids
from heta_framework.common.stores.text_index.errors import TextIndexError
from heta_framework.common.stores.text_index.search_server.bodies import (
    document,
    document_id,
    index_body,
    noted_stemmer,
    search_body,
    server_name,
)
from heta_framework.common.stores.text_index.search_server.clients import (
    Action,
    BulkHelper,
    elasticsearch_bulk,
    open_client,
)
from heta_framework.common.stores.text_index.search_server.config import ElasticsearchTextIndexStoreConfig
from heta_framework.common.stores.text_index.types import TextIndexConfig, TextIndexRecord, TextQuery, TextSearchResult

__all__ = ["ElasticsearchTextIndexStore", "ElasticsearchTextIndexStoreConfig"]

_T = TypeVar("_T")
_LIBRARIES = {"elasticsearch", "elastic_transport", "opensearchpy"}


class ElasticsearchTextIndexStore:
    """A `TextIndexStoreProtocol` on a server; with ``engine="opensearch"`` in its config on OpenSearch.

    Index names that a server does not take are written differently there. Filters compare with ==, as everywhere; a
    search gives at most 10,000 hits. A bulk request is not a transaction: where a server refuses one document, the
    others of its upsert are written, and the error names the refused one. In texts and metadata NUL characters and
    lone surrogates become U+FFFD.
    """

    def __init__(
        self,
        config: ElasticsearchTextIndexStoreConfig | None = None,
        *,
        client: Any | None = None,
        bulk_helper: BulkHelper | None = None,
    ) -> None:
        """Nothing is connected to before it is used.

        Args:
            config: which server; the one on this machine when left out.
            client: an asynchronous client of one's own (`elasticsearch.AsyncElasticsearch`), which stays open.
            bulk_helper: its helper for bulk requests, `elasticsearch.helpers.async_bulk` when left out.
        """
        self._config = config or ElasticsearchTextIndexStoreConfig()
        self._given = client
        self._bulk_helper = bulk_helper
        self._opened: tuple[asyncio.AbstractEventLoop, Any, BulkHelper] | None = None

    def __repr__(self) -> str:
        return f"ElasticsearchTextIndexStore({self._config!r})"

    async def create_index(self, config: TextIndexConfig) -> None:
        """Make an index; see `TextIndexStoreProtocol.create_index`."""
        name = server_name(config.name)
        if not await self._call(lambda client: client.indices.exists(index=name)):
            body = index_body(config, self._config)
            await self._call(lambda client: client.indices.create(index=name, **body))
            return
        stemmer = noted_stemmer(await self._call(lambda client: client.indices.get_mapping(index=name)))
        if stemmer != config.stemmer:
            raise ValueError(
                f"text index {config.name!r} exists with stemmer {stemmer!r}, asked for {config.stemmer!r}; drop it "
                "first or use another name"
            )

    async def drop_index(self, name: str) -> None:
        """Remove an index with all its records; an unknown one is passed over."""
        await self._call(lambda client: client.indices.delete(index=server_name(name), ignore_unavailable=True))

    async def has_index(self, name: str) -> bool:
        """Whether an index exists."""
        return bool(await self._call(lambda client: client.indices.exists(index=server_name(name))))

    async def upsert(self, index: str, records: Sequence[TextIndexRecord]) -> None:
        """Add records or replace those of the same id.

        Raises:
            ValueError: the index is unknown, an id comes twice, or metadata is not JSON-safe; nothing was written.
            TextIndexError: the server is out of reach or refuses a document.
        """
        unique_ids(record.id for record in records)
        documents = [(document_id(record.id), document(record, self._config)) for record in records]
        target = await self._known(index)
        await self._bulk(
            [{"_op_type": "index", "_index": target, "_id": name, "_source": source} for name, source in documents]
        )

    async def search(self, index: str, query: TextQuery) -> list[TextSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        target = await self._known(index)
        body = search_body(query, self._config)
        if body is None:
            return []
        answer = await self._call(lambda client: client.search(index=target, **body))
        return [self._result(hit) for hit in answer["hits"]["hits"]]

    async def delete(self, index: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        target = await self._known(index)
        names = [document_id(record_id) for record_id in ids if record_id]
        await self._bulk(
            [{"_op_type": "delete", "_index": target, "_id": name} for name in names], ignore_status=(404,)
        )

    async def count(self, index: str) -> int:
        """How many records the index holds."""
        target = await self._known(index)
        answer = await self._call(lambda client: client.count(index=target))
        return int(answer["count"])

    async def aclose(self) -> None:
        """Close the connections of this store's own client; a later call opens others."""
        opened, self._opened = self._opened, None
        if opened is not None and opened[0] is asyncio.get_running_loop():
            await opened[1].close()

    async def _known(self, name: str) -> str:
        """The server's name of an index; a bulk request would make an index that is not there."""
        if not await self.has_index(name):
            raise ValueError(f"text index {name!r} does not exist at {self._config.place}")
        return server_name(name)

    async def _bulk(self, actions: Sequence[Action], **options: Any) -> None:
        if actions:
            helper = self._client()[1]
            refresh = self._config.refresh_after_write
            await self._call(lambda client: helper(client, actions, refresh=refresh, **options))

    async def _call(self, work: Callable[[Any], Awaitable[_T]]) -> _T:
        client, _ = self._client()
        try:
            return await work(client)
        except Exception as error:
            if not _is_a_clients(error):
                raise
            reason = _told(error)
        raise TextIndexError(f"{self._config.engine} at {self._config.place}: {reason}")

    def _client(self) -> tuple[Any, BulkHelper]:
        if self._given is not None:
            return self._given, self._bulk_helper or elasticsearch_bulk()
        loop = asyncio.get_running_loop()
        if self._opened is None or self._opened[0] is not loop:
            client, helper = open_client(self._config)
            self._opened = loop, client, self._bulk_helper or helper
        return self._opened[1:]

    def _result(self, hit: Mapping[str, Any]) -> TextSearchResult:
        source = hit["_source"]
        record_id = source.get("record_id", hit["_id"])
        text = source.get(self._config.content_field, "")
        return TextSearchResult(record_id, text, float(hit["_score"]), source.get(self._config.metadata_field) or {})


def _is_a_clients(error: Exception) -> bool:
    """Whether an error comes from one of the client libraries, of which none need be installed."""
    return any(kind.__module__.partition(".")[0] in _LIBRARIES for kind in type(error).__mro__)


def _told(error: Exception) -> str:
    refused = getattr(error, "errors", None)  # of a bulk request: what the server says of each refused document
    first = f"; first: {refused[0]}" if isinstance(refused, Sequence) and refused else ""
    return " ".join(f"{error}{first}".split())

"""What is sent to a search server: names, mappings, documents and queries.

The analysis follows the embedded store's: words of Unicode's boundaries, lower-cased, stemmed (Snowball English) where
the index says so. BM25 with k1 = 1.2 and b = 0.75 is the default of both servers.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from heta_framework.common.stores.facets import facets
from heta_framework.common.stores.storable import storable_metadata, storable_text
from heta_framework.common.stores.text_index.search_server.config import ElasticsearchTextIndexStoreConfig
from heta_framework.common.stores.text_index.types import TextIndexConfig, TextIndexRecord, TextQuery

MOST_HITS = 10_000
"""The servers' default `index.max_result_window`."""

_VALID_NAME = re.compile(r"[a-z0-9][a-z0-9_\-]{0,199}")
_LONGEST_ID_BYTES = 512
_MOST_WORDS = 512  # of a question: the servers refuse queries of over 1,024 clauses
_META = "heta"


def server_name(name: str) -> str:
    """The name of an index on the server: the same where the server takes it, else readable with a hash."""
    if _VALID_NAME.fullmatch(name):
        return name
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:100]
    return f"h-{readable}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def index_body(config: TextIndexConfig, store: ElasticsearchTextIndexStoreConfig) -> dict[str, Any]:
    """Settings and mappings of a new index; its own name and stemmer are noted in the mapping."""
    filters = ["lowercase"] if config.stemmer == "none" else ["lowercase", "heta_stemmer"]
    analysis: dict[str, Any] = {"analyzer": {"heta": {"type": "custom", "tokenizer": "standard", "filter": filters}}}
    if config.stemmer != "none":
        analysis["filter"] = {"heta_stemmer": {"type": "stemmer", "language": config.stemmer}}
    properties = {
        store.content_field: {"type": "text", "analyzer": "heta"},
        store.metadata_field: {"type": "object", "enabled": False},
        "record_id": {"type": "keyword"},
        "facets": {"type": "keyword"},
    }
    noted = {_META: {"name": config.name, "stemmer": config.stemmer}}
    return {
        "settings": {"analysis": analysis},
        "mappings": {"dynamic": False, "_meta": noted, "properties": properties},
    }


def noted_stemmer(mappings: Mapping[str, Any]) -> str | None:
    """The stemmer of an index that `index_body` made, from what the server says of its mapping."""
    for index in mappings.values():
        noted = index.get("mappings", {}).get("_meta", {}).get(_META, {})
        return noted.get("stemmer")  # type: ignore[no-any-return]
    return None


def document(record: TextIndexRecord, store: ElasticsearchTextIndexStoreConfig) -> dict[str, Any]:
    """The document of a record; ValueError when its metadata is not JSON-safe."""
    metadata = json.loads(storable_metadata(record.id, record.metadata))
    return {
        store.content_field: storable_text(record.text),
        store.metadata_field: metadata,
        "record_id": record.id,
        "facets": facets(metadata),
    }


def document_id(record_id: str) -> str:
    """The id of a record's document: the same, or a hash where it is too long for the server."""
    if len(record_id.encode()) <= _LONGEST_ID_BYTES:
        return record_id
    return f"sha256:{hashlib.sha256(record_id.encode()).hexdigest()}"


def search_body(query: TextQuery, store: ElasticsearchTextIndexStoreConfig) -> dict[str, Any] | None:
    """The body of a search, equal scores in ascending order of id; None where there is no word to look for."""
    words = list(dict.fromkeys(re.findall(r"\w+", storable_text(query.text))))[:_MOST_WORDS]
    if not words:
        return None
    return {
        "query": {
            "bool": {
                "must": [{"match": {store.content_field: {"query": " ".join(words)}}}],
                "filter": [{"term": {"facets": word}} for word in facets(query.filters)],
            }
        },
        "sort": [{"_score": "desc"}, {"record_id": "asc"}],
        "size": min(query.top_k, MOST_HITS),
    }

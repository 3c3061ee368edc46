"""How a chunk is written into an index's record, and how the record becomes the source of a result.

A record calls the raw document ``source_key``, ``source_name`` and ``source_file_type``, as filters do; a result's
source calls it ``object_key``, ``object_name`` and ``object_type``.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from heta_framework.kb.chunks import Chunk

_RAW_DOCUMENT = {"object_key": "source_key", "object_name": "source_name", "object_type": "source_file_type"}
_AS_THEY_ARE = (
    "document_id",
    "content_sha256",
    "page_index",
    "chunk_index",
    "token_start",
    "token_end",
    "char_start",
    "char_end",
)
_SOURCE_FIELDS = {"document_id": "document_id", **_RAW_DOCUMENT} | {name: name for name in _AS_THEY_ARE}
"""Fields of a result's source, and what a record calls them."""

_source_fields = attrgetter(*_SOURCE_FIELDS)
_RECORD_FIELDS = tuple(_SOURCE_FIELDS.values())

RECORD_FIELDS = frozenset({*_SOURCE_FIELDS.values(), "parent_chunk_ids", "heading_path", "document_metadata"})
"""Every field of a chunk's record, those of the caller's own apart."""

OWN_FIELD = "document_metadata."
"""What the name of a field of the caller's own begins with, in records and in filters."""

_HEADING_SEPARATOR = " > "


def chunk_metadata(chunk: Chunk) -> dict[str, Any]:
    """The metadata of a chunk's record in a vector collection or a text index: flat, so that filters can compare it.

    What the caller said of the document is nested under ``document_metadata``, where there is something, and each field
    of it is there once more as ``document_metadata.<field>``, for filters.
    """
    fields: dict[str, Any] = dict(zip(_RECORD_FIELDS, _source_fields(chunk), strict=True))
    fields["parent_chunk_ids"] = list(chunk.parent_chunk_ids)
    fields["heading_path"] = _HEADING_SEPARATOR.join(chunk.heading_path)
    if chunk.document_metadata:
        fields["document_metadata"] = dict(chunk.document_metadata)
        fields |= {f"{OWN_FIELD}{name}": value for name, value in chunk.document_metadata.items()}
    return fields


def chunk_source(chunk_id: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """``QueryResult.source`` of a chunk, from its record; what is absent or blank there is left out."""
    source = {name: metadata.get(record) for name, record in _SOURCE_FIELDS.items()}
    source["document_metadata"] = metadata.get("document_metadata")
    return {"chunk_ids": (chunk_id,)} | {name: value for name, value in source.items() if value not in (None, "")}

"""A result from the record of a chunk in a vector collection, a text index or a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heta_framework.kb.search.chunk_records import OWN_FIELD, chunk_source
from heta_framework.kb.search.types import QueryResult

_IN_THE_SOURCE_ALONE = frozenset({"document_metadata", "content_sha256", "char_start", "char_end"})


def chunk_result(
    chunk_id: str, text: str, score: float, record: Mapping[str, Any], found: Mapping[str, Any]
) -> QueryResult:
    """The result of a hit.

    Args:
        record: the record's metadata.
        found: how it was found, which goes into the result's metadata beside the record's.
    """
    kept = {
        name: value
        for name, value in record.items()
        if name not in _IN_THE_SOURCE_ALONE and not name.startswith(OWN_FIELD)
    }
    return QueryResult(chunk_id, text, score, source=chunk_source(chunk_id, record), metadata={**kept, **found})

"""A chunk as a row of a table, and a row that was found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.search.chunk_records import chunk_metadata

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class FoundRow:
    """A chunk that shares words with the question; a higher score is better."""

    chunk_id: str
    text: str
    score: float
    metadata: Mapping[str, Any]


def chunk_row(chunk: Chunk) -> dict[str, Any]:
    """The columns that every dialect has. Characters that no database takes become U+FFFD.

    ``source_id`` is the raw document's key, ``source_chunk`` a list of chunk ids, ``length`` a number of words. JSON is
    in one canonical form, so that equal values are equal texts.
    """
    text = storable(chunk.text)
    return {
        "chunk_id": chunk.chunk_id,
        "document_id": storable(chunk.document_id),
        "content_text": text,
        "source_id": storable(chunk.object_key),
        "source_chunk": canonical_json([chunk.chunk_id, *chunk.parent_chunk_ids]),
        "length": len(_WORD.findall(text)),
        "metadata_json": canonical_json(chunk_metadata(chunk)),
    }


def found_row(row: Mapping[str, Any]) -> FoundRow:
    """From a row with the columns chunk_id, content_text, score and metadata_json."""
    metadata = row["metadata_json"]
    read = json.loads(metadata) if isinstance(metadata, str) else metadata
    return FoundRow(row["chunk_id"], row["content_text"], float(row["score"]), read)


def canonical_json(value: Any) -> str:
    """JSON of a value, keys sorted, without spaces."""
    return json.dumps(_storable_value(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def storable(text: str) -> str:
    """The text without NUL and lone surrogates."""
    return replace_surrogates(text).replace("\0", "\ufffd")


def _storable_value(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _storable_value(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_storable_value(one) for one in value]
    return value

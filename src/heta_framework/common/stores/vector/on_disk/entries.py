"""How a record is written into the tables of a collection on disk, found by its metadata, and read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from heta_framework.common.stores.metadata import carries, metadata_json
from heta_framework.common.stores.vector.on_disk.records import Entry
from heta_framework.common.stores.vector.types import VectorRecord, VectorSearchResult


def entry_of(record: VectorRecord) -> Entry:
    """The record without its vector.

    Raises:
        ValueError: its metadata is not JSON-safe.
    """
    text = None if record.text is None else record.text.encode("utf-8", "surrogatepass")
    return Entry(record.id, metadata_json(record.id, record.metadata), text)


def result_of(entry: Entry, score: float) -> VectorSearchResult:
    """The record as a hit."""
    text = None if entry.text is None else entry.text.decode("utf-8", "surrogatepass")
    return VectorSearchResult(entry.id, score, text, json.loads(entry.metadata))


def needles(wanted: Mapping[str, Any]) -> list[str]:
    """What the written metadata of every record that carries `wanted` contains; others may contain it as well.

    Only strings are looked for with their values: 1, 1.0 and true are equal but written differently.
    """
    return [
        json.dumps({key: value})[1:-1] if isinstance(value, str) else f"{json.dumps(key)}:"
        for key, value in wanted.items()
    ]


def written_carries(metadata: str, wanted: Mapping[str, Any]) -> bool:
    """Whether the written metadata carries all of `wanted`."""
    return carries(json.loads(metadata), wanted)

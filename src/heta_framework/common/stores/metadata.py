"""Metadata of records as JSON, and whether it carries what a filter asks for: the same rules in every store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def metadata_json(record_id: str, metadata: Mapping[str, Any]) -> str:
    """The metadata as strict JSON in ASCII; lone surrogates are kept as escapes.

    Raises:
        ValueError: a value is not JSON-safe (or is NaN); the message names the record.
    """
    try:
        return json.dumps(metadata, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"metadata of record {record_id!r} cannot be stored as JSON: {error}") from None


def carries(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether metadata has all `wanted` keys with equal (==) values; a missing key equals nothing, not even None."""
    return all(key in metadata and metadata[key] == value for key, value in wanted.items())

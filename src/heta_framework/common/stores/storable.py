"""Text and metadata as servers can hold them: neither NUL characters nor lone surrogates, U+FFFD in their place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from heta_framework.common.stores.metadata import metadata_json
from heta_framework.common.text.surrogates import replace_surrogates

_ESCAPES = ("\\u0000", "\\ud")  # as JSON in ASCII writes what cannot be held, and some of what can


def storable_text(text: str) -> str:
    """The text with U+FFFD for every character that a server cannot hold."""
    return replace_surrogates(text).replace("\0", "\ufffd")


def storable_metadata(record_id: str, metadata: Mapping[str, Any]) -> str:
    """The metadata as strict JSON, its strings and keys as `storable_text` has them.

    Raises:
        ValueError: a value is not JSON-safe; the message names the record.
    """
    written = metadata_json(record_id, metadata)
    if any(escape in written for escape in _ESCAPES):
        return json.dumps(_storable(json.loads(written)))
    return written


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {storable_text(key): _storable(item) for key, item in value.items()}
    return value

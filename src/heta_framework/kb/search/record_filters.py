"""The filters of a request, in the names that records use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OTHER_NAMES = {"object_key": "source_key", "object_name": "source_name", "object_type": "source_file_type"}


def record_filters(filters: Mapping[str, Any]) -> dict[str, Any]:
    """The filters for a store; the names that a result's source uses for the raw document are those of a record too."""
    return {_OTHER_NAMES.get(name, name): value for name, value in filters.items()}

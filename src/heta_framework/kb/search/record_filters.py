"""The filters of a request, in the names that records use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.kb.search.chunk_records import OWN_FIELD, RECORD_FIELDS

_OTHER_NAMES = {"object_key": "source_key", "object_name": "source_name", "object_type": "source_file_type"}


def record_filters(filters: Mapping[str, Any]) -> dict[str, Any]:
    """The filters for a store; the names that a result's source uses for the raw document are those of a record too.

    Raises:
        TypeError: a value is none that JSON has, and so none that a record can have.
        ValueError: a name that no record has, which would find nothing, whatever the question; or a number that is not
            finite.
    """
    return {_record_name(name): _json_value(name, value) for name, value in filters.items()}


def _json_value(name: str, value: Any) -> Any:
    """The value in the types that records have: a tuple as a list."""
    try:
        if isinstance(value, int):
            float(value)  # no store compares numbers beyond what a float holds
        return json.loads(json.dumps(value, allow_nan=False))
    except TypeError as error:
        raise TypeError(f"filter {name!r} must be a value that JSON has, found {value!r}") from error
    except (OverflowError, ValueError) as error:
        raise ValueError(f"filter {name!r} must be a value that JSON has, found {value!r}") from error


def _record_name(name: str) -> str:
    known = _OTHER_NAMES.get(name, name)
    if known in RECORD_FIELDS or known.startswith(OWN_FIELD):
        return known
    hint = did_you_mean(name, {*RECORD_FIELDS, *_OTHER_NAMES}) or f"metadata of your own: {OWN_FIELD + name!r}"
    raise ValueError(
        f"no record has a field {name!r} to filter by; allowed: {', '.join(sorted(RECORD_FIELDS))}; {hint}"
    )

"""Which values survive being written as JSON, and what stands in a record for those that do not."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

_PLAIN = frozenset({str, int, bool, type(None)})


def is_json_safe(value: object) -> bool:
    """Whether JSON can hold the value: texts, finite numbers, booleans, None, and sequences and mappings of them."""
    if isinstance(value, float):
        return math.isfinite(value)
    if value is None or isinstance(value, str | int):
        return True
    if isinstance(value, list | tuple):
        return _all_safe(value)
    if isinstance(value, Mapping):
        return all(isinstance(key, str) for key in value) and _all_safe(value.values())
    return False


def _all_safe(values: Collection[object]) -> bool:
    """Most artifacts are long and plain, and a state is written before and after every step: types are enough then."""
    return set(map(type, values)) <= _PLAIN or all(map(is_json_safe, values))


def only_json_safe(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that JSON can hold; the others live only as long as the process."""
    return {key: value for key, value in values.items() if is_json_safe(value)}


def with_notes(values: Mapping[str, Any]) -> dict[str, Any]:
    """All values, with a note in the place of each that JSON cannot hold."""
    return {key: value if is_json_safe(value) else omitted(value) for key, value in values.items()}


def omitted(value: object) -> dict[str, str]:
    """The note: of what type the value was."""
    return {"type": type(value).__name__, "manifest_note": "runtime artifact omitted"}


def is_note(value: object) -> bool:
    """Whether this stands for a value that was left out."""
    return isinstance(value, Mapping) and value.get("manifest_note") == "runtime artifact omitted"

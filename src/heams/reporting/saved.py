"""Reading saved configurations of any age: what is missing is empty, never an error."""

from collections.abc import Mapping
from typing import Any


def part(saved: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """The mapping below ``keys``; an empty one where any of them is missing or no mapping."""
    node: Any = saved
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping) else {}


def entries(saved: Mapping[str, Any], *keys: str) -> list[Mapping[str, Any]]:
    """The mappings in the list below ``keys``; none where it is missing or no list."""
    *parents, last = keys
    found = part(saved, *parents).get(last)
    return [entry for entry in found if isinstance(entry, Mapping)] if isinstance(found, list) else []

"""How long an embedding model's vectors are, before it is asked for any."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

_seen: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def known_dimension(model: Any) -> int | None:
    """What the model says of itself (``dimension``), or what this process saw of it; None where nobody knows."""
    said = getattr(model, "dimension", None)
    if isinstance(said, int) and said > 0:
        return said
    try:
        return _seen.get(model)
    except TypeError:  # it cannot be referred to weakly, or has no hash
        return None


def remember_dimension(model: Any, dimension: int) -> None:
    """Keep what was seen, as long as the model lives."""
    try:
        _seen[model] = dimension
    except TypeError:
        return

"""Any value as strict JSON holds it: what it cannot hold becomes a note, never an exception at the end of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from pathlib import PurePath
from typing import Any

from heta_framework.common.text.surrogates import replace_surrogates

_NOTE = "value omitted because it is not JSON-safe"
_DEEPEST = 60


def json_safe(value: object, _depth: int = 0) -> Any:
    """The value made of dicts with string keys, lists, strings, finite numbers, booleans and None alone.

    Paths become strings, tuples and sets lists (sets sorted by their text, so that two runs write the same), lone
    surrogates the replacement character, a number that is not finite its name (``NaN``, ``Infinity``). Anything else,
    and what is nested deeper than 60 levels, becomes ``{"type": ..., "manifest_note": ...}``.
    """
    if value is None or isinstance(value, bool | int):
        return _plain_int(value)
    if isinstance(value, str):
        return replace_surrogates(str(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _name_of(value)
    if isinstance(value, PurePath):
        return replace_surrogates(str(value))
    if _depth >= _DEEPEST:
        return _omitted(value)
    return _container(value, _depth + 1)


def _container(value: object, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {replace_surrogates(str(key)): json_safe(item, depth) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item, depth) for item in value]
    if isinstance(value, Set):
        return sorted((json_safe(item, depth) for item in value), key=repr)
    return _scalar(value)


def _scalar(value: object) -> Any:
    """A number of another library (numpy's have ``item``), or the note."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        return json_safe(item(), _DEEPEST)
    return _omitted(value)


def _plain_int(value: bool | int | None) -> bool | int | None:
    """Itself; an enum or another subclass of int as the number that it is."""
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _name_of(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _omitted(value: object) -> dict[str, str]:
    return {"type": type(value).__name__, "manifest_note": _NOTE}

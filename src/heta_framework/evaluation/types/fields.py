"""The field rules of evaluation's value types: stripped texts, copied mappings, choices that are named in the error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from heta_framework.common.stores.fields import required_text


def optional_text(field: str, value: object) -> str | None:
    """None, or the text stripped.

    Raises:
        TypeError: it is neither.
        ValueError: it is blank, or holds a lone surrogate.
    """
    return None if value is None else required_text(field, value)


def chosen(field: str, value: str, allowed: Iterable[str]) -> str:
    """The value, or ValueError with those that are allowed."""
    names = tuple(allowed)
    if value not in names:
        raise ValueError(f"{field} must be one of: {', '.join(names)}; found {value!r}")
    return value


def mapping(field: str, value: object) -> dict[str, Any]:
    """A copy of a mapping that the caller cannot change any more.

    Raises:
        TypeError: it is none.
    """
    if type(value) is dict:  # much faster to copy than any mapping
        return value.copy()
    if not isinstance(value, Mapping):
        raise TypeError(f"{field} must be a mapping, found {type(value).__name__}")
    return dict(value)


def texts(field: str, values: Iterable[str]) -> tuple[str, ...]:
    """Several required texts.

    Raises:
        TypeError: it is one string, or one of them is none.
        ValueError: one of them is blank.
    """
    if values == ():
        return ()
    if isinstance(values, str):
        raise TypeError(f"{field} must be a sequence of strings, found one string; put it into a list")
    return tuple(required_text(field, value) for value in values)


def put(instance: object, **values: object) -> None:
    """Put normalised values into a frozen dataclass (without slots)."""
    instance.__dict__.update(values)  # a third of the time of object.__setattr__, and benchmarks make many cases

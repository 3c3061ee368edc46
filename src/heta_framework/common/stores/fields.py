"""The field rules that every store's value types share: texts that must not be blank, ids that must be unique."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def required_text(field: str, value: object) -> str:
    """Return `value` stripped.

    Raises:
        TypeError: it is not a string.
        ValueError: it is blank, or holds a lone surrogate and so cannot be written as UTF-8.
    """
    if not isinstance(value, str):
        raise TypeError(f"{field} must be a string, found {type(value).__name__}")
    stripped = value.strip()
    if not stripped:
        raise ValueError(f"{field} must not be empty")
    if not is_encodable(stripped):
        raise ValueError(f"{field} {stripped!r} holds a lone surrogate and cannot be written as UTF-8")
    return stripped


def positive(field: str, value: int) -> int:
    """Return `value` when it is a whole number of at least 1, else raise TypeError or ValueError."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):  # asking SupportsIndex takes 50 times as long
        raise TypeError(f"{field} must be a whole number, found {value!r}")
    if value < 1:
        raise ValueError(f"{field} must be greater than zero, found {value}")
    return value


def mapping_copy(value: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a copy of `value` that the caller cannot change any more; None is {}."""
    return dict(value) if value else {}


def unique_ids(ids: Iterable[str]) -> list[str]:
    """Return the record ids as a list.

    Raises:
        ValueError: an id is blank, cannot be written as UTF-8, or comes twice; the message names it.
    """
    seen: dict[str, int] = {}
    for row, record_id in enumerate(ids):
        _check_id(record_id, row)
        if record_id in seen:
            raise ValueError(f"record id {record_id!r} comes twice in one call (rows {seen[record_id]} and {row})")
        seen[record_id] = row
    return list(seen)


def is_encodable(text: str) -> bool:
    """Whether `text` can be written as UTF-8, that is, holds no lone surrogate."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_id(record_id: object, row: int) -> None:
    if not isinstance(record_id, str):
        raise TypeError(f"record id of row {row} must be a string, found {type(record_id).__name__}")
    if not record_id.strip():
        raise ValueError(f"record id of row {row} must not be empty")
    if not is_encodable(record_id):
        raise ValueError(f"record id {record_id!r} holds a lone surrogate and cannot be written as UTF-8")

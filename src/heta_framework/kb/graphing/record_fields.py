"""The rules that the fields of entities and relations share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any


def check_texts(record: Any, *names: str) -> None:
    """Every one of these fields must be a string that is not blank.

    Raises:
        TypeError, ValueError: one is not; the message names it.
    """
    for name in names:
        value = getattr(record, name)
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a string, found {type(value).__name__}")
        if not value.strip():
            raise ValueError(f"{name} must not be empty")


def text_attributes(attributes: Mapping[Any, Any]) -> dict[str, str]:
    """Attributes as texts; those with a blank name or value say nothing and are left out."""
    if not isinstance(attributes, Mapping):
        raise TypeError(f"attributes must be a mapping, found {type(attributes).__name__}")
    texts = {str(name).strip(): str(value).strip() for name, value in attributes.items()}
    return {name: value for name, value in texts.items() if name and value}


def chunk_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """The chunks that a record comes from, at least one.

    Raises:
        TypeError: it is one string instead of several.
        ValueError: there is none, or a blank one.
    """
    if isinstance(ids, str):
        raise TypeError("source_chunk_ids must be a sequence of strings, found one string")
    found = tuple(ids)
    if not found:
        raise ValueError("source_chunk_ids must not be empty")
    if not all(isinstance(one, str) and one.strip() for one in found):
        raise ValueError("source_chunk_ids must not contain empty values")
    return found


def known_fields(record_type: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the data that are fields; what else a later version wrote is passed over."""
    return {field.name: data[field.name] for field in fields(record_type) if field.name in data}

"""A record - a table's row, a JSON object - as text: one ``name: value`` a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_DEEPEST = 100
_LONGEST_NAME = 200  # a name is repeated with every value: one of a megabyte would multiply the document


def record_text(fields: Iterable[tuple[str, str]]) -> str:
    """The lines of a record; a value without a name stands alone, blank values are left out."""
    return "\n".join(f"{name}: {value}" if name else value for name, value in fields if value.strip())


def flat_fields(value: Any) -> Iterator[tuple[str, str]]:
    """The fields of a JSON value, inner ones by a dotted path; lists of plain values joined with commas.

    Raises:
        ValueError: it is nested more than 100 levels deep.
    """
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    while waiting:
        path, found, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError(f"nested more than {_DEEPEST} levels deep")
        if isinstance(found, Mapping):
            inner = [(_inner_name(path, name), part, depth + 1) for name, part in found.items()]
            waiting += reversed(inner)
        elif isinstance(found, list) and any(isinstance(part, dict | list) for part in found):
            waiting += reversed([(path, part, depth + 1) for part in found])
        else:
            yield path, plain_text(found)


def short_name(name: str) -> str:
    """A name, cut where it is longer than 200 characters."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _inner_name(path: str, name: str) -> str:
    return short_name(f"{path}.{short_name(name)}" if path else name)


def plain_text(value: Any) -> str:
    """A plain JSON value, or a list of them, as text; null is empty."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(plain_text, value)))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)

"""SQL with the names of tables and columns filled in; everything that comes from a document is a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template
from typing import Any

_VALUES_A_STATEMENT = 500


def statement(template: str, **names: str) -> str:
    """The template with its ``$names``, which are made of letters, digits, ``_`` and quotes alone, filled in."""
    return Template(template).substitute(names)


def selections(template: str, values: Sequence[Any], **names: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Statements and parameters that together ask for all values: the template holds ``IN ($values)``."""
    for start in range(0, len(values), _VALUES_A_STATEMENT):
        group = values[start : start + _VALUES_A_STATEMENT]
        listed = ", ".join(f":v{position}" for position in range(len(group)))
        parameters = {f"v{position}": value for position, value in enumerate(group)}
        yield statement(template, values=listed, **names), parameters

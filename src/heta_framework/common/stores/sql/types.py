"""What goes into a SQL store and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SQLParameters = dict[str, Any]
"""Values of the named parameters of a statement: ``:name`` in the statement, ``name`` here."""

SQLRow = dict[str, Any]
"""One row: the names of its columns and their values."""

SQLParameterRows = Sequence[Mapping[str, Any]]
"""Values for a statement that runs once a row."""


@dataclass(frozen=True)
class SQLResult:
    """What a statement did: how many rows it touched, -1 where the database does not say."""

    rowcount: int

"""One statement on one connection: how its parameters go in and its rows come out. Everything here blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heta_framework.common.stores.sql.types import SQLResult, SQLRow

if TYPE_CHECKING:
    from sqlalchemy import Connection, CursorResult

_READS = re.compile(r"\s*(select|values|explain|with)\b", re.IGNORECASE)
_WRITES = re.compile(r"\b(insert|update|delete|replace|merge|into)\b", re.IGNORECASE)


def checked_statement(statement: str) -> str:
    """Return the statement; TypeError when it is no string, ValueError when it is blank."""
    if not isinstance(statement, str):
        raise TypeError(f"a statement must be a string, got {type(statement).__name__}")
    if not statement.strip():
        raise ValueError("statement must not be empty")
    return statement


def checked_parameters(parameters: Any) -> dict[str, Any] | list[dict[str, Any]]:
    """The parameters as a dict, or as a list of dicts for a statement that runs once for each."""
    if parameters is None:
        return {}
    if isinstance(parameters, Mapping):
        return dict(parameters)
    if isinstance(parameters, Sequence) and all(isinstance(row, Mapping) for row in parameters):
        return [dict(row) for row in parameters]
    raise TypeError("parameters must be a mapping of names to values, or a list of such mappings; see `:name` in SQL")


def may_write(statement: str) -> bool:
    """Whether a statement may change the database; true in doubt."""
    return _READS.match(statement) is None or _WRITES.search(statement) is not None


def touched(connection: Connection, statement: str, parameters: Any) -> SQLResult:
    """Run a statement, once for each of several parameters, and count the rows that it touched."""
    if parameters == []:
        return SQLResult(rowcount=0)
    return SQLResult(rowcount=_run(connection, statement, parameters).rowcount)


def first_row(connection: Connection, statement: str, parameters: Any) -> SQLRow | None:
    """Run a statement and return its first row."""
    result = _run(connection, statement, parameters)
    names = list(result.keys())
    row = result.fetchone()
    result.close()
    return None if row is None else dict(zip(names, row, strict=True))


def all_rows(connection: Connection, statement: str, parameters: Any) -> list[SQLRow]:
    """Run a statement and return its rows."""
    result = _run(connection, statement, parameters)
    names = list(result.keys())
    return [dict(zip(names, row, strict=True)) for row in result]


def _run(connection: Connection, statement: str, parameters: Any) -> CursorResult[Any]:
    from sqlalchemy import text

    return connection.execute(text(statement), parameters)

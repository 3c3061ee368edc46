"""Statements that take effect together or not at all, on one connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from heta_framework.common.stores.sql.statements import (
    all_rows,
    checked_parameters,
    checked_statement,
    first_row,
    touched,
)
from heta_framework.common.stores.sql.threads import to_the_end
from heta_framework.common.stores.sql.turns import Turns
from heta_framework.common.stores.sql.types import SQLParameterRows, SQLResult, SQLRow

_Result = TypeVar("_Result")


class SQLTransaction:
    """What ``store.transaction()`` yields. Any task may use it; its statements run one after the other.

    Statements have named parameters (``:name``). What the database says of a statement is SQLAlchemy's error.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._turns = Turns(1)

    async def execute(
        self, statement: str, parameters: Mapping[str, Any] | SQLParameterRows | None = None
    ) -> SQLResult:
        """Run a statement; with a list of parameters, once for each of them, in one go."""
        return await self._run(touched, statement, parameters)

    async def execute_many(self, statement: str, rows: SQLParameterRows) -> SQLResult:
        """Run a statement once for each row of parameters, in one go; without rows nothing happens."""
        return await self._run(touched, statement, list(rows))

    async def fetch_one(self, statement: str, parameters: Mapping[str, Any] | None = None) -> SQLRow | None:
        """The first row of what the statement returns, None where it returns none."""
        return await self._run(first_row, statement, parameters)

    async def fetch_all(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[SQLRow]:
        """Every row that the statement returns."""
        return await self._run(all_rows, statement, parameters)

    async def _run(self, function: Callable[..., _Result], statement: str, parameters: Any) -> _Result:
        work = partial(function, self._connection, checked_statement(statement), checked_parameters(parameters))
        async with self._turns.held():
            return await to_the_end(work)

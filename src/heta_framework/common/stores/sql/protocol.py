"""What every SQL store offers, whatever database answers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, runtime_checkable

from heta_framework.common.stores.sql.types import SQLParameterRows, SQLResult, SQLRow


@runtime_checkable
class SQLExecutorProtocol(Protocol):
    """Runs statements with named parameters (``:name``). A blank statement raises ValueError."""

    async def execute(
        self, statement: str, parameters: Mapping[str, Any] | SQLParameterRows | None = None
    ) -> SQLResult:
        """Run a statement; with a list of parameters, once for each of them, in one go."""
        ...

    async def fetch_one(self, statement: str, parameters: Mapping[str, Any] | None = None) -> SQLRow | None:
        """The first row of what the statement returns, None where it returns none."""
        ...

    async def fetch_all(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[SQLRow]:
        """Every row that the statement returns."""
        ...


@runtime_checkable
class SQLTransactionProtocol(SQLExecutorProtocol, Protocol):
    """Runs statements that take effect together or not at all."""


@runtime_checkable
class SQLStoreProtocol(SQLExecutorProtocol, Protocol):
    """A database. Each call is a transaction of its own; `transaction` makes one of several."""

    def transaction(self) -> AbstractAsyncContextManager[SQLTransactionProtocol]:
        """A block whose statements are kept when it ends and undone when it is left by an exception."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...

"""The connection that a transaction holds from its beginning to its end. Everything here blocks."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection, RootTransaction


class Pinned:
    """A connection in a transaction: `begin`, perhaps `commit`, always `end`, which undoes what was not kept."""

    def __init__(self, owner: object) -> None:
        self._owner = owner
        self._open = ExitStack()
        self._transaction: RootTransaction | None = None

    def belongs_to(self, owner: object) -> bool:
        """Whether it is still open and the owner's."""
        return self._owner is owner and self._transaction is not None

    def begin(self, source: AbstractContextManager[Connection]) -> Connection:
        """Take a connection and begin."""
        connection = self._open.enter_context(source)
        self._transaction = connection.begin()
        return connection

    def commit(self) -> None:
        """Keep what was done."""
        if self._transaction is not None:
            self._transaction.commit()

    def end(self) -> None:
        """Give the connection back; without a commit everything is undone."""
        transaction, self._transaction = self._transaction, None
        with self._open:
            if transaction is not None and transaction.is_active:
                transaction.rollback()

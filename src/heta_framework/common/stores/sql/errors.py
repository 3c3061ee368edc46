"""What can go wrong before a statement runs; what a database says of a statement is SQLAlchemy's own error."""

from __future__ import annotations


class SQLStoreError(RuntimeError):
    """The database cannot be reached or opened, or the driver for it is not installed."""

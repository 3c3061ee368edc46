"""Which database a SQL store opens."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PASSWORD = re.compile(r"(//[^/?#@:]*:)[^/?#]*@|([?&]password=)[^&#]*")
_POSTGRES = re.compile(r"^postgres(ql)?://")


@dataclass(frozen=True, repr=False)
class SQLStoreConfig:
    """A database by its URL: ``sqlite://`` (memory), ``sqlite:///folder/file.db``, ``postgresql://user:password@host/name``.

    Attributes:
        url: The URL; its password is in no repr.
        echo: Whether SQLAlchemy logs every statement.
        pool_pre_ping: Whether a connection is tried before it is used again, so that a restarted server goes unnoticed.
    """

    url: str
    echo: bool = False
    pool_pre_ping: bool = True

    def __post_init__(self) -> None:
        if not self.url.strip():
            raise ValueError("url must not be empty")

    def __repr__(self) -> str:
        return f"SQLStoreConfig(url={masked(self.url)!r}, echo={self.echo}, pool_pre_ping={self.pool_pre_ping})"


def masked(url: str) -> str:
    """The URL with ``***`` in place of its password."""
    return _PASSWORD.sub(lambda found: f"{found[1]}***@" if found[1] else f"{found[2]}***", url)


def with_driver(url: str) -> str:
    """The URL as SQLAlchemy wants it: ``postgresql://`` and ``postgres://`` mean psycopg 3."""
    return _POSTGRES.sub("postgresql+psycopg://", url)

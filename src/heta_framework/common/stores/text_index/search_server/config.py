"""Which server a text index store talks to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from heta_framework.common.stores.fields import required_text
from heta_framework.common.stores.sql.config import masked

Engine = Literal["elasticsearch", "opensearch"]


@dataclass(frozen=True)
class ElasticsearchTextIndexStoreConfig:
    """A server, and how documents are written there. Keys and passwords are in no repr.

    Attributes:
        hosts: one address or several, such as ``http://localhost:9200``.
        api_key: an encoded key, or its id and secret.
        basic_auth: user and password.
        request_timeout: seconds to wait for an answer.
        refresh_after_write: whether a write is found by the searches after it; without, after about a second.
        content_field: the field with a record's text.
        metadata_field: the field with a record's metadata, stored and not analysed.
        engine: "elasticsearch" (extra ``elasticsearch``, in the major version of the server) or "opensearch" (extra
            ``opensearch``).
    """

    hosts: str | Sequence[str] = "http://localhost:9200"
    api_key: str | tuple[str, str] | None = field(default=None, repr=False)
    basic_auth: tuple[str, str] | None = field(default=None, repr=False)
    request_timeout: float = 30.0
    refresh_after_write: bool = True
    content_field: str = "content_text"
    metadata_field: str = "metadata"
    engine: Engine = "elasticsearch"

    def __post_init__(self) -> None:
        if not self.addresses or not all(address.strip() for address in self.addresses):
            raise ValueError("hosts must not be empty")
        if self.request_timeout <= 0:
            raise ValueError(f"request_timeout must be greater than zero, found {self.request_timeout}")
        for name in ("content_field", "metadata_field"):
            object.__setattr__(self, name, required_text(name, getattr(self, name)))
        if self.engine not in get_args(Engine):
            raise ValueError(f"engine must be one of: {', '.join(get_args(Engine))}; found {self.engine!r}")

    def __repr__(self) -> str:
        return f"ElasticsearchTextIndexStoreConfig(hosts={self.place!r}, engine={self.engine!r})"

    @property
    def addresses(self) -> list[str]:
        """The hosts as a list."""
        return [self.hosts] if isinstance(self.hosts, str) else list(self.hosts)

    @property
    def place(self) -> str:
        """The hosts without passwords."""
        return ", ".join(map(masked, self.addresses))

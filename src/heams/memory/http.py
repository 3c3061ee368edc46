"""Memory systems that are a server, written in any language: JSON in POST requests; see docs/protocol.md."""

from typing import Literal

from heams.external.http_host import HttpHost
from heams.external.remote_memory import RemoteMemorySystem
from heams.external.settings import ServerSettings


class HttpMemoryConfig(ServerSettings):
    """A memory system in any language: a server that speaks JSON over HTTP."""

    type: Literal["http"] = "http"


class HttpMemorySystem(RemoteMemorySystem):
    """A memory system that is a server."""

    def __init__(self, config: HttpMemoryConfig) -> None:
        super().__init__(config, HttpHost(config, "memory"))

"""Agents that are a server, written in any language: JSON in POST requests; see docs/protocol.md."""

from typing import Literal

from heams.external.http_host import HttpHost
from heams.external.remote_agent import RemoteAgent
from heams.external.settings import ServerSettings


class HttpAgentConfig(ServerSettings):
    """An agent in any language: a server that speaks JSON over HTTP."""

    type: Literal["http"] = "http"


class HttpAgent(RemoteAgent):
    """An agent that is a server."""

    def __init__(self, config: HttpAgentConfig) -> None:
        super().__init__(config, HttpHost(config, "agent"))

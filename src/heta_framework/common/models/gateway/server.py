"""Runs the gateway in the event loop of the run, on a free port of 127.0.0.1."""

import asyncio
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import uvicorn

from heta_framework.common.models.errors import ModelSetupError
from heta_framework.common.models.gateway.app import build_app
from heta_framework.common.models.gateway.forwarding import Forwarder
from heta_framework.common.models.gateway.seat import Seat, SeatModels
from heta_framework.common.models.providers.building import usable_key
from heta_framework.common.models.settings import EndpointConfig

_LAST_REQUESTS_S = 3


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: how a run is stopped is the run's business."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Gateway:
    """A loopback server with a seat for every library client. An async context manager, or ``start`` and ``close``."""

    def __init__(self) -> None:
        self._seats: dict[str, Seat] = {}
        self._forwarder = Forwarder()
        self._socket: socket.socket | None = None
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        if self._socket is None:
            raise RuntimeError("the gateway is not started")
        return int(self._socket.getsockname()[1])

    async def start(self) -> Self:
        """Listen."""
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            build_app(self._seats, self._forwarder),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="none",
            server_header=False,
            timeout_graceful_shutdown=_LAST_REQUESTS_S,
        )
        self._server = _Server(config)
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]), name="model gateway")
        while not self._server.started:
            if self._serving.done():
                self._serving.result()
            await asyncio.sleep(0.001)
        return self

    def seat(self, models: SeatModels) -> Seat:
        """A new seat.

        Raises:
            ModelSetupError: a model has no key, or its provider does not speak OpenAI's protocol.
        """
        for endpoint in (models.llm, models.embedding, models.rerank):
            if isinstance(endpoint, EndpointConfig):
                _check(endpoint)
        token = secrets.token_urlsafe(24)
        self._seats[token] = Seat(f"http://127.0.0.1:{self.port}/{token}/v1", models)
        return self._seats[token]

    def leave(self, seat: Seat) -> None:
        """Give up a seat: calls to it are answered 404 from now on."""
        for token in [token for token, other in self._seats.items() if other is seat]:
            del self._seats[token]

    async def close(self) -> None:
        """Stop listening and close all connections."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving
        await self._forwarder.close()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _check(endpoint: EndpointConfig) -> None:
    if endpoint.provider != "openai":
        raise ModelSetupError(
            f"model {endpoint.model_id!r}: memory libraries are served by OpenAI-compatible endpoints alone. "
            f"Give the provider's OpenAI-compatible 'base_url' and write the model as 'openai:...'"
        )
    usable_key(endpoint)

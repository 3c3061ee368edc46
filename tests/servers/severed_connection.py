"""A road to a server that can be severed and mended: a TCP proxy on loopback with a port of its own."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

HOST = "127.0.0.1"


class SeverableRoad:
    """Passes bytes on to the server at an address; severed, it refuses connections and breaks those that are open."""

    def __init__(self, endpoint_url: str) -> None:
        address = urlsplit(endpoint_url)
        self._target = (address.hostname, address.port)
        self._port = 0
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def endpoint_url(self) -> str:
        """The address by which the road is taken; it stays the same when the road is mended."""
        return f"http://{HOST}:{self._port}"

    async def __aenter__(self) -> "SeverableRoad":
        await self.mend()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.sever()

    async def mend(self) -> None:
        """Take connections."""
        if self._server is None:
            self._server = await asyncio.start_server(self._travel, HOST, self._port)
            self._port = self._server.sockets[0].getsockname()[1]

    async def sever(self) -> None:
        """Refuse connections from now on, and break the open ones."""
        if self._server is not None:
            self._server.close()
            self._server = None
        broken = [task for task in self._open if task is not asyncio.current_task()]
        for task in broken:
            task.cancel()
        await asyncio.gather(*broken, return_exceptions=True)

    async def _travel(self, near_in: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        task: Any = asyncio.current_task()
        self._open.add(task)
        far_out = None
        try:
            far_in, far_out = await asyncio.open_connection(*self._target)
            await asyncio.gather(_pass_on(near_in, far_out), _pass_on(far_in, near_out))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            for writer in (near_out, far_out):
                if writer is not None:
                    writer.close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        target.write(data)
        await target.drain()
    target.close()

"""Running the server within this process, on a thread and an event loop of its own."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from aiohttp import web

from .app import ModelServer
from .log import Log, Summary, settle
from .script import Script

_T = TypeVar("_T")


class RunningSite:
    """A server listening on 127.0.0.1 within the running event loop."""

    def __init__(self, script: Script, port: int = 0) -> None:
        self.server = ModelServer(script)
        self._runner = web.ServerRunner(self.server, shutdown_timeout=0.2)
        self._port = port

    async def start(self) -> str:
        """Listen; returns the base URL, which ends in ``/v1``."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, backlog=4096).start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"

    async def stop(self) -> None:
        """Close the socket and every connection."""
        await self._runner.cleanup()


class LocalServer:
    """A server on a background thread. A context manager; ``base_url`` ends in ``/v1``."""

    def __init__(self, script: Script | None = None, **fields: Any) -> None:
        self._script = script or Script.model_validate(fields)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model server", daemon=True)
        self._site: RunningSite
        self.base_url = ""

    def start(self) -> Self:
        """Start the thread and listen."""
        self._thread.start()
        try:
            self._site = self._run(self._make())
            self.base_url = self._run(self._site.start())
        except BaseException:
            self._end_thread()
            raise
        return self

    def stop(self) -> None:
        """Stop listening, drop connections, end the thread. A second call does nothing."""
        if not self._loop.is_closed():
            self._run(self._site.stop())
            self._end_thread()

    @property
    def log(self) -> Log:
        """The book, true to the moment of asking; readable while the server runs and after."""
        if not self._loop.is_closed() and threading.current_thread() is not self._thread:
            self._run(settle())
        return self._site.server.log

    @property
    def script(self) -> Script:
        """The script in force."""
        return self._site.server.script

    def summary(self) -> Summary:
        """The sums so far."""
        return self.log.summary()

    def quiet(self, timeout: float = 5.0) -> Log:
        """The log as soon as no request is under way. Raises TimeoutError after ``timeout`` s."""
        latest = time.monotonic() + timeout
        while self.log.concurrent:
            if time.monotonic() > latest:
                raise TimeoutError(f"{self.log.concurrent} requests are still under way after {timeout:g} s")
            time.sleep(0.005)
        return self.log

    def play(self, script: Script | None = None, **fields: Any) -> None:
        """Follow another script from the next request on; ``fields`` change the one in force."""
        changed = script or Script.model_validate(dict(self.script) | fields)
        self._run(self._play(changed))

    async def _make(self) -> RunningSite:
        return RunningSite(self._script)

    async def _play(self, script: Script) -> None:
        self._site.server.play(script)

    def _end_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop()

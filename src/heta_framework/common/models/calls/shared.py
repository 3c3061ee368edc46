"""Things that a run opens once and shares, and closes at its end: each lives in a task of its own."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from contextvars import Context
from typing import Any


class SharedResources:
    """Opens by key, closes all.

    Whoever asks first may be gone, or cancelled, long before the run ends. So a task that belongs to nobody enters each
    context manager and leaves it again, as task groups demand, in the ``context`` that is given and not in that of
    whoever asked.
    """

    def __init__(self) -> None:
        self._open: dict[str, _Resource] = {}

    async def get(self, key: str, enter: Callable[[], AbstractAsyncContextManager[Any]], context: Context) -> Any:
        """What ``key`` stands for; opened at the first use, and again where the event loop it was opened in has ended.

        Raises:
            Exception: what opening raised. A later use tries again.
        """
        resource = self._open.get(key)
        if resource is None or not resource.usable:
            resource = self._open[key] = _Resource(enter, context)
        return await asyncio.shield(resource.opened)

    async def aclose(self) -> None:
        """Close everything, the last first.

        Raises:
            Exception: the first error of closing, after all were closed.
        """
        resources, self._open = list(self._open.values()), {}
        errors = [error for resource in reversed(resources) if (error := await resource.close()) is not None]
        if errors:
            raise errors[0]


class _Resource:
    def __init__(self, enter: Callable[[], AbstractAsyncContextManager[Any]], context: Context) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self.opened: asyncio.Future[Any] = self._loop.create_future()
        self._task = self._loop.create_task(self._live(enter), context=context)

    @property
    def usable(self) -> bool:
        return self._loop is asyncio.get_running_loop() and not self._task.done()

    async def close(self) -> Exception | None:
        if not self.usable:
            return None
        self._end.set()
        await asyncio.wait([self._task])
        return self._error()

    def _error(self) -> Exception | None:
        if self._task.cancelled():
            return None
        error = self._task.exception()
        return error if isinstance(error, Exception) else None

    async def _live(self, enter: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        try:
            async with enter() as value:
                self._tell(value)
                await self._end.wait()
        except BaseException as error:
            if self.opened.done():
                raise
            self._fail(error)

    def _tell(self, value: Any) -> None:
        if not self.opened.done():
            self.opened.set_result(value)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, asyncio.CancelledError):
            self.opened.cancel()
            raise error
        self.opened.set_exception(error)
        self.opened.exception()  # asked for, so that nobody is told of it where everybody has left

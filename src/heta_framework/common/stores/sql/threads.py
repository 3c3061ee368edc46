"""Blocking work in worker threads that is never left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import anyio

_Result = TypeVar("_Result")


async def to_the_end(function: Callable[[], _Result]) -> _Result:
    """Run in a worker thread; whoever is cancelled waits for the end of the function and is cancelled then.

    A connection serves one statement at a time, so it may be given to no one else before the thread has left it.
    """
    work = asyncio.ensure_future(anyio.to_thread.run_sync(function))
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not work.done():
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        work.exception()  # asked for, so that nobody warns that it was not
        raise cancelled
    return work.result()

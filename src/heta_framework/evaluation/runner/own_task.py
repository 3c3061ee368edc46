"""One piece of work in a task of its own: it has its time, and its end is never mistaken for the end of the run."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

_Result = TypeVar("_Result")

_GRACE_S = 5.0
_left_behind: set[asyncio.Task[Any]] = set()  # the event loop itself holds tasks weakly


class CancelledByItselfError(Exception):
    """The work ended with a cancellation that nobody outside had asked for."""


async def in_own_task(work: Coroutine[Any, Any, _Result], seconds: float) -> _Result:
    """What the work returns.

    Work that is cancelled and does not end within some seconds, such as a blocking call in a thread, is left behind.

    Raises:
        TimeoutError: it took longer.
        CancelledByItselfError: it raised ``CancelledError`` although the caller is not being cancelled.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            await end_task(task)
            timed_out = True
        else:
            timed_out = False
    if timed_out:
        raise TimeoutError(f"no response within {seconds:g} s")
    if task.cancelled():
        raise CancelledByItselfError("the query engine cancelled the query")
    return task.result()


async def end_task(task: asyncio.Task[Any]) -> None:
    """Cancel it; where it does not end within some seconds, it is left behind."""
    _left_behind.add(task)
    task.add_done_callback(_forget)
    task.cancel()
    with anyio.CancelScope(shield=True):
        await asyncio.wait({task}, timeout=_GRACE_S)


def _forget(task: asyncio.Task[Any]) -> None:
    _left_behind.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, so that asyncio does not report it as never retrieved

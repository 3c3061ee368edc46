"""Work that ends when a stop is asked for, at the next point where it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from heams.orchestration.errors import StoppedEarly
from heams.orchestration.stopping import StopSignal

Result = TypeVar("Result")
_LOOK_EVERY_S = 0.1


async def until_stopped(work: Coroutine[Any, Any, Result], stop: StopSignal) -> Result:
    """What the work returns.

    Raises:
        StoppedEarly: a stop was asked for, and the work was cancelled or ended because of it.
    """
    task = asyncio.create_task(work)
    try:
        while not task.done() and not stop.requested:
            await asyncio.wait({task}, timeout=_LOOK_EVERY_S)
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    if task.cancelled() or (stop.requested and task.exception() is not None):
        raise StoppedEarly
    return task.result()

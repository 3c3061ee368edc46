"""Runs a library's blocking work in a thread that a cancelled run does not wait for in vain."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from anyio import to_thread

from heta_framework.common.models.gateway import Seat

_T = TypeVar("_T")


async def in_thread(seat: Seat, work: Callable[[], _T]) -> _T:
    """The result of ``work``.

    A thread cannot be cancelled. When its caller is, the calls to models that it waits for are given up, so that it
    ends at once; the cancellation goes on only then, and nobody meets the library half way through its work.
    """
    working = asyncio.ensure_future(to_thread.run_sync(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        if seat.present is not None:
            seat.present.end()
        while not working.done():
            with suppress(BaseException):
                await asyncio.shield(working)
        raise

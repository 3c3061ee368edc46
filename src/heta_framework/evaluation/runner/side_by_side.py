"""Several workers on the same queue of work; the first error ends them all and is raised as it is, with its cause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


async def side_by_side(work: Callable[[], Coroutine[Any, Any, None]], workers: int) -> None:
    """Run so many of them until each has ended.

    Raises:
        RuntimeError: one was cancelled from within, so that its work is not done.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work()) for _ in range(workers)]
    except BaseExceptionGroup as failures:
        first = _first(failures)
    else:
        if any(task.cancelled() for task in tasks):
            raise RuntimeError("a part of the run was cancelled from within; run it again to go on where it stopped")
        return
    raise first  # outside of the handler, so that the group does not become its context


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first

"""Computations beside the event loop: few at a time, in each loop anew."""

from __future__ import annotations

import threading

import anyio
import pytest

from heta_framework.common.computing import compute


def test_at_most_four_computations_run_at_once_in_any_loop() -> None:
    for _ in range(2):
        assert anyio.run(_most_at_once) == 4


async def _most_at_once() -> int:
    running, most, lock = 0, 0, threading.Lock()
    all_there = threading.Barrier(4)

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        all_there.wait(timeout=10)
        with lock:
            running -= 1

    async with anyio.create_task_group() as group:
        for _ in range(12):
            group.start_soon(compute, work)
    return most


@pytest.mark.anyio
async def test_what_a_computation_returns_or_raises_is_passed_on() -> None:
    assert await compute(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await compute(divmod, 7, 0)

"""Turns at something scarce, and work in threads that is never left behind."""

from __future__ import annotations

import asyncio
import threading
import time

import anyio
import anyio.lowlevel
import pytest

from heta_framework.common.stores.sql.statements import may_write
from heta_framework.common.stores.sql.threads import to_the_end
from heta_framework.common.stores.sql.turns import Turns

pytestmark = pytest.mark.anyio


async def test_places_are_handed_over_in_the_order_of_asking() -> None:
    turns, order, inside, most = Turns(2), [], 0, 0

    async def work(number: int) -> None:
        nonlocal inside, most
        async with turns.held():
            inside += 1
            most = max(most, inside)
            order.append(number)
            await anyio.lowlevel.checkpoint()
            inside -= 1

    async with anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(work, number)
    assert order == list(range(20))
    assert most == 2


async def test_who_stops_waiting_takes_no_place_with_him() -> None:
    turns = Turns(1)

    async def wait() -> None:
        async with turns.held():
            pass

    async with turns.held():
        given_up = [asyncio.create_task(wait()) for _ in range(3)]
        await anyio.sleep(0.01)
        given_up[0].cancel()
        given_up[2].cancel()
        await anyio.lowlevel.checkpoint()
    given_up[1].cancel()  # in the moment in which the place is handed over
    await asyncio.gather(*given_up, return_exceptions=True)
    with anyio.fail_after(2):
        await wait()


@pytest.mark.parametrize("native", [True, False])
async def test_a_cancelled_waiter_leaves_when_the_thread_has_ended(native: bool) -> None:
    ended = threading.Event()

    def slow() -> None:
        time.sleep(0.1)
        ended.set()

    async def run() -> None:
        with anyio.CancelScope() as scope:
            if not native:
                asyncio.get_running_loop().call_later(0.02, scope.cancel)
            await to_the_end(slow)

    task = asyncio.create_task(run())
    await anyio.sleep(0.02)
    if native:
        task.cancel()
    await asyncio.wait([task])
    assert ended.is_set()
    assert task.cancelled() is native


async def test_an_error_in_the_thread_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        await to_the_end(lambda: 1 // 0)


@pytest.mark.parametrize(
    ("statement", "writes"),
    [
        ("SELECT 1", False),
        ("\n  select updated_at FROM t", False),
        ("WITH a AS (SELECT 1) SELECT * FROM a", False),
        ("WITH a AS (DELETE FROM t RETURNING 1) SELECT * FROM a", True),
        ("EXPLAIN QUERY PLAN SELECT 1", False),
        ("-- a comment\nSELECT 1", True),
        ("INSERT INTO t VALUES (1)", True),
        ("PRAGMA user_version = 3", True),
        ("SELECT 'delete me'", True),
    ],
)
def test_a_statement_counts_as_a_write_in_doubt(statement: str, writes: bool) -> None:
    assert may_write(statement) is writes

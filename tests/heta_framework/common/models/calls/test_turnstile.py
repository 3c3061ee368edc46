"""The queue is fair, loses nobody who is cancelled, keeps its times, and serves several event loops."""

import asyncio
import math
import random
import threading
from dataclasses import dataclass, field
from threading import RLock

import pytest

from heta_framework.common.models.calls.turnstile import Turnstile


@dataclass
class Room:
    """Room for so many; ``opens_in`` seconds from now, where that is set."""

    size: int
    inside: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    most: int = 0

    def delay(self, entrant: str) -> float:
        if self.delays:
            return self.delays.pop(0)
        return 0.0 if len(self.inside) < self.size else math.inf

    def enter(self, entrant: str) -> None:
        self.inside.append(entrant)
        self.most = max(self.most, len(self.inside))

    def leave(self, entrant: str) -> None:
        self.inside.remove(entrant)
        self.left.append(entrant)


@dataclass
class Door:
    """A turnstile with its room."""

    room: Room
    lock: RLock = field(default_factory=RLock)

    def __post_init__(self) -> None:
        self.turnstile = Turnstile(self.room, self.lock)

    def out(self, name: str) -> None:
        with self.lock:
            self.room.leave(name)
            self.turnstile.check()


async def turns() -> None:
    """Let everything happen that can happen now."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.anyio
async def test_first_come_first_served() -> None:
    door, order = Door(Room(1)), []

    async def visit(name: str) -> None:
        await door.turnstile.enter(name)
        order.append(name)
        await asyncio.sleep(0)
        door.out(name)

    names = [f"{number}" for number in range(50)]
    await asyncio.gather(*[visit(name) for name in names])
    assert order == names
    assert door.room.most == 1


@pytest.mark.anyio
async def test_who_comes_later_does_not_overtake_those_who_wait() -> None:
    door = Door(Room(1))
    await door.turnstile.enter("a")
    waiting = asyncio.create_task(door.turnstile.enter("b"))
    await turns()
    door.out("a")
    late = asyncio.create_task(door.turnstile.enter("c"))
    await turns()
    assert door.room.inside == ["b"]
    assert waiting.done()
    late.cancel()
    await asyncio.wait([late])


@pytest.mark.anyio
async def test_who_is_cancelled_while_waiting_blocks_nobody() -> None:
    door = Door(Room(1))
    await door.turnstile.enter("a")
    tasks = [asyncio.create_task(door.turnstile.enter(name)) for name in "bc"]
    await turns()
    tasks[0].cancel()
    await asyncio.wait([tasks[0]])
    assert len(door.turnstile) == 1
    door.out("a")
    await tasks[1]
    assert door.room.inside == ["c"]


@pytest.mark.anyio
async def test_who_is_cancelled_in_the_moment_of_being_let_in_makes_room() -> None:
    door = Door(Room(1))
    await door.turnstile.enter("a")
    tasks = [asyncio.create_task(door.turnstile.enter(name)) for name in "bc"]
    await turns()
    door.out("a")
    tasks[0].cancel()
    await asyncio.wait(tasks)
    assert tasks[0].cancelled()
    assert door.room.inside == ["c"]


@pytest.mark.anyio
async def test_a_delay_is_waited_for() -> None:
    door = Door(Room(1, delays=[0.02, 0.02, 0.01]))
    await asyncio.wait_for(door.turnstile.enter("a"), 5)
    assert door.room.inside == ["a"]


def test_it_belongs_to_no_event_loop() -> None:
    door = Door(Room(1))

    async def abandon() -> None:
        await door.turnstile.enter("a")
        waiting = asyncio.create_task(door.turnstile.enter("b"))
        await turns()
        assert not waiting.done()

    async def next_loop() -> None:
        await asyncio.wait_for(door.turnstile.enter("c"), 5)

    asyncio.run(abandon())
    door.out("a")
    asyncio.run(next_loop())
    assert door.room.inside == ["c"]


def test_loops_in_several_threads_share_one_queue() -> None:
    door, errors = Door(Room(3)), []

    async def visit(name: str) -> None:
        await door.turnstile.enter(name)
        await asyncio.sleep(random.uniform(0, 0.002))
        door.out(name)

    async def visits(thread: int) -> None:
        await asyncio.wait_for(asyncio.gather(*[visit(f"{thread} {number}") for number in range(60)]), 30)

    def run(thread: int) -> None:
        try:
            asyncio.run(visits(thread))
        except BaseException as error:  # noqa: BLE001 - handed to the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(door.room.left) == 240
    assert door.room.most == 3

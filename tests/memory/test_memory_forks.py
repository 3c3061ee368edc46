"""Forks are independent: neither side sees what the other hears or forgets, whatever happens in whatever order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heams.memory.base import ForgetDemand, Memory, MemoryEvent


class Move(NamedTuple):
    """One thing that happens to the fork number ``fork`` (modulo how many there are)."""

    kind: str
    fork: int
    event_id: str
    content: str


_MOVES = st.builds(
    Move,
    kind=st.sampled_from(["write", "write", "bulk", "forget", "fork", "recall"]),
    fork=st.integers(0, 7),
    event_id=st.sampled_from("abcdef"),
    content=st.lists(st.sampled_from(["tea", "boat", "violin", "snow"]), max_size=3).map(" ".join),
)


async def _play(subject: Any, moves: Sequence[Move]) -> list[tuple[Memory, dict[str, str]]]:
    """Memories beside plain dictionaries that had the same things done to them."""
    pairs: list[tuple[Memory, dict[str, str]]] = [(await subject.open({}), {})]
    for kind, fork, event_id, content in moves:
        memory, model = pairs[fork % len(pairs)]
        if kind in {"write", "bulk"}:
            heard = {event_id: content} if kind == "write" else {event_id: content, "bulk": content}
            await memory.write_all([MemoryEvent(id=key, content=text) for key, text in heard.items()])
            for key in heard:
                model.pop(key, None)
            model.update(heard)
        elif kind == "forget":
            receipt = await memory.forget(ForgetDemand(content="", event_ids=(event_id,)))
            assert receipt.removed == ((event_id,) if model.pop(event_id, None) is not None else ())
        elif kind == "recall":
            await subject.ask(memory, content, gold=[event_id])
        else:
            pairs.append((await memory.fork(), dict(model)))
    return pairs


async def _check(subject: Any, moves: Sequence[Move]) -> None:
    for memory, model in await _play(subject, moves):
        assert [(item.id, item.text) for item in await memory.dump()] == list(model.items())
        fresh = await subject.open(model, speaker="user")
        for text in ("tea boat", "violin"):
            found = await subject.ask(memory, text, gold=["c", "a"])
            assert found == await subject.ask(fresh, text, gold=["c", "a"])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(_MOVES, max_size=24))
def test_every_fork_is_what_its_own_history_makes_of_it(remembering: Any, moves: list[Move]) -> None:
    asyncio.run(_check(remembering, moves))


@pytest.mark.anyio
async def test_siblings_and_parent_go_their_own_ways(remembering: Any) -> None:
    parent = await remembering.open()
    fork, sibling = await parent.fork(), await parent.fork()
    await fork.forget(ForgetDemand(content="", event_ids=("D1:1",)))
    await fork.write(MemoryEvent(id="D9:1", content="A kitten on the fork"))
    await parent.write(MemoryEvent(id="D9:2", content="A kitten on the parent"))
    gold = ["D1:1", "D9:1", "D9:2"]
    for memory, hidden in ((parent, {"D9:1"}), (fork, {"D1:1", "D9:2"}), (sibling, {"D9:1", "D9:2"})):
        found = {item.id for item in await remembering.ask(memory, "kitten", gold=gold)}
        assert found & {*gold} == {*gold} - hidden


@pytest.mark.anyio
async def test_a_fork_of_a_fork_outlives_both(remembering: Any) -> None:
    parent = await remembering.open()
    middle = await parent.fork()
    await middle.write(MemoryEvent(id="D2:1", content="A kitten in the middle"))
    last = await middle.fork()
    await parent.close()
    await middle.forget(ForgetDemand(content="", event_ids=("D2:1",)))
    await middle.close()
    assert "D2:1" in [item.id for item in await remembering.ask(last, "kitten", gold=["D2:1"])]

"""Forks are independent, and a persisted knowledge base comes back as it was, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, MemoryScope, RecallQuery
from heta_framework.common.stores.snapshot import SnapshotError

pytestmark = pytest.mark.anyio


async def _ids(memory: Memory, text: str) -> list[str]:
    return [item.id for item in await memory.recall(RecallQuery(text=text))]


def _found(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


class Move(NamedTuple):
    """One thing that happens to the fork number ``fork`` (modulo how many there are)."""

    kind: str
    fork: int
    event_id: str
    content: str


_MOVES = st.builds(
    Move,
    kind=st.sampled_from(["write", "write", "forget", "fork", "recall"]),
    fork=st.integers(0, 5),
    event_id=st.sampled_from("abcd"),
    content=st.lists(st.sampled_from(["tea", "boat", "violin"]), min_size=1, max_size=3).map(" ".join),
)


async def _play(memory: Memory, moves: Sequence[Move]) -> list[tuple[Memory, dict[str, str]]]:
    """Memories beside plain dictionaries that had the same things done to them."""
    pairs: list[tuple[Memory, dict[str, str]]] = [(memory, {})]
    for kind, fork, event_id, content in moves:
        chosen, model = pairs[fork % len(pairs)]
        if kind == "write":
            await chosen.write(MemoryEvent(id=event_id, content=content))
            model.pop(event_id, None)
            model[event_id] = content
        elif kind == "forget":
            receipt = await chosen.forget(ForgetDemand(content="", event_ids=(event_id,)))
            assert receipt.removed == ((event_id,) if model.pop(event_id, None) is not None else ())
        elif kind == "recall":
            await chosen.recall(RecallQuery(text=content))
        else:
            pairs.append((await chosen.fork(), dict(model)))
    return pairs


async def _check(system: Any, moves: Sequence[Move]) -> None:
    await system.start()
    pairs = await _play(await system.open(MemoryScope(id="scope")), moves)
    for memory, model in pairs:
        assert [(item.id, item.text) for item in await memory.dump()] == list(model.items())
        wanted = {event_id for event_id, content in model.items() if "violin" in content.split()}
        assert set(await _ids(memory, "violin")) == wanted
        await memory.close()
    await system.close()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(_MOVES, max_size=10))
def test_every_fork_is_what_its_own_history_makes_of_it(system: Any, moves: list[Move]) -> None:
    asyncio.run(_check(system("words"), moves))


async def test_a_fork_costs_no_copy_until_one_of_the_two_writes(open_memory: Any) -> None:
    parent = await open_memory("files")
    await parent.dump()
    fork, sibling = await parent.fork(), await parent.fork()
    assert await _ids(fork, "kitten") == await _ids(sibling, "kitten") == await _ids(parent, "kitten")
    assert fork._state is sibling._state is parent._state
    await fork.write(MemoryEvent(id="D9:1", content="A kitten on the fork"))
    assert "D9:1" in await _ids(fork, "kitten")
    assert fork._state is not parent._state
    assert sibling._state is parent._state
    assert "D9:1" not in await _ids(parent, "kitten")
    await fork.close()
    await sibling.close()


async def test_a_fork_of_a_fork_outlives_both_and_leaves_no_files(open_memory: Any, tmp_path: Path) -> None:
    parent = await open_memory("files")
    first = await parent.fork()
    await first.write(MemoryEvent(id="D2:1", content="A kitten in the middle"))
    last = await first.fork()
    await first.forget(ForgetDemand(content="", event_ids=("D2:1",)))
    await first.close()
    assert "D2:1" in await _ids(last, "kitten")
    await last.close()
    assert len(_found(tmp_path, "scope-1/*")) == 1  # the parent's own
    await parent.forget(ForgetDemand(content="", event_ids=("D1:1", "D1:2", "D1:3")))
    assert _found(tmp_path, "scope-1/*/*") == []


@pytest.mark.parametrize("kind", ["hybrid", "files"])
async def test_a_restored_memory_recalls_and_goes_on_like_the_original(
    open_memory: Any, kind: str, tmp_path: Path
) -> None:
    memory = await open_memory(kind)
    await memory.write(MemoryEvent(id="D1:1", content="Пеппер 東京 \ud800 kitten"))
    await memory.forget(ForgetDemand(content="", event_ids=("D1:3",)))
    await memory.persist(tmp_path / "state")
    twin = await open_memory(kind, {"other": "something else"})
    await twin.dump()
    await twin.restore(tmp_path / "state")
    for _ in range(2):
        assert await twin.dump() == await memory.dump()
        for text in ("kitten", "東京", "violins"):
            query = RecallQuery(text=text)
            assert await twin.recall(query) == await memory.recall(query)
        for one in (memory, twin):
            await one.write_all([MemoryEvent(id=f"after {n}", content=f"A kitten {n} in 東京") for n in range(3)])


async def test_a_state_without_events_can_be_persisted_too(open_memory: Any, tmp_path: Path) -> None:
    await (await open_memory("words", {})).persist(tmp_path / "state")
    memory = await open_memory("words")
    await memory.restore(tmp_path / "state")
    assert list(await memory.dump()) == []


@contextmanager
def _cut(file: Path) -> Iterator[None]:
    content = file.read_bytes()
    file.write_bytes(content[:-1])
    yield
    file.write_bytes(content)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def test_a_damaged_or_missing_state_is_refused_and_the_present_one_stays(
    open_memory: Any, tmp_path: Path
) -> None:
    memory = await open_memory("words")
    with pytest.raises(SnapshotError, match="no saved state"):
        await memory.restore(tmp_path / "state")
    await memory.persist(tmp_path / "state")
    await memory.write(MemoryEvent(id="D9:1", content="A kitten after the state"))
    files = _files(tmp_path / "state")
    assert len(files) > 5
    for file in files[:: len(files) // 4]:
        with _cut(file), pytest.raises(SnapshotError, match="cut or altered"):
            await memory.restore(tmp_path / "state")
    assert "D9:1" in await _ids(memory, "kitten")
    await memory.restore(tmp_path / "state")
    assert "D9:1" not in await _ids(memory, "kitten")


async def test_a_state_of_another_recipe_is_refused(open_memory: Any, tmp_path: Path) -> None:
    await (await open_memory("words")).persist(tmp_path / "state")
    other = await open_memory("hybrid")
    with pytest.raises(SnapshotError, match="testing_full_text"):
        await other.restore(tmp_path / "state")
    assert len(await other.dump()) == 3


async def test_what_an_update_reads_does_not_grow_with_what_was_heard_at_first(open_memory: Any) -> None:
    memory = await open_memory()
    for number in range(30):
        await memory.write(MemoryEvent(id=f"e{number}", content=f"Heron {number} nests in the reeds."))
    assert len(await memory.dump()) >= 30
    assert len(memory._state.knowledge_base.run_record.artifacts["source_documents"]) == 1


async def test_chunks_are_read_again_only_from_packs_that_a_change_has_made(open_memory: Any) -> None:
    memory = await open_memory()
    await memory.write(MemoryEvent(id="first", content="The heron nests in the reeds."))
    before = await memory._state.chunks() if await memory.dump() else {}
    await memory.write(MemoryEvent(id="second", content="The lamp burns oil."))
    await memory.dump()
    after = await memory._state.chunks()
    assert len(after) == len(before) + 1
    assert all(after[chunk_id] is chunk for chunk_id, chunk in before.items())

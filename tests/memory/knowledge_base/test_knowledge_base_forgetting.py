"""Forgetting removes an event from everywhere: a canary in it is in no byte that the memory keeps any more."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, RecallQuery
from heta_framework.kb.derived.pack import TornPackError, decode_pack
from heta_framework.kb.errors import KnowledgeBuildError
from heta_framework.kb.steps.index_full_text import IndexFullText

pytestmark = pytest.mark.anyio

CANARY = "zebrafinch"
SAID = {
    "D1:1": f"I keep a {CANARY} named Pip in the attic.",
    "D1:2": "My brother repairs old violins in Lisbon.",
    "D1:3": "Pip is a name for a bird, my brother says.",
}


def _readable(data: bytes) -> Iterator[bytes]:
    """The bytes, and what is packed in them."""
    yield data
    try:
        for key, value in decode_pack(data).items():
            yield key.encode() + value
    except TornPackError:
        pass


def _holds_canary(data: bytes) -> bool:
    return any(CANARY.encode() in part.lower() for part in _readable(data))


def _files_with_canary(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(folder)) for path in files if _holds_canary(path.read_bytes()))


async def _objects_with_canary(memory: Any) -> list[str]:
    objects = memory._state.objects
    return [info.key for info in await objects.list() if _holds_canary(await objects.get(info.key))]


def _reachable_with_canary(memory: Memory) -> list[str]:
    """Texts and bytes with the canary in everything that the memory holds: stores in memory, caches, queues."""
    seen: set[int] = set()
    waiting: list[object] = [memory]
    found: list[str] = []
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, ModuleType | FunctionType | type | FrameType):
            continue
        seen.add(id(thing))
        if isinstance(thing, str | bytes):
            data = thing.encode("utf-8", "replace") if isinstance(thing, str) else thing
            found += [repr(thing)[:80]] if _holds_canary(data) else []
        else:
            waiting += gc.get_referents(thing)
    return found


def _shelf(tmp_path: Path) -> Path:
    return tmp_path / "scope-1"


async def _forget(memory: Memory) -> tuple[str, ...]:
    return (await memory.forget(ForgetDemand(content="", event_ids=("D1:1",)))).removed


async def test_the_canary_can_be_found_before(open_memory: Any, tmp_path: Path) -> None:
    memory = await open_memory("files", SAID)
    await memory.dump()
    assert len(await _objects_with_canary(memory)) >= 3  # the raw document, its text, its chunk
    assert len(_reachable_with_canary(memory)) >= 3
    found = _files_with_canary(_shelf(tmp_path))
    assert any("sqlite" in name for name in found)
    assert any("/text/" in name for name in found)


@pytest.mark.parametrize("kind", ["words", "hybrid", "files", "graph"])
async def test_nothing_of_a_forgotten_event_is_left_in_any_store(open_memory: Any, kind: str, tmp_path: Path) -> None:
    memory = await open_memory(kind, SAID)
    await memory.recall(RecallQuery(text=CANARY))
    assert "D1:1" in await _forget(memory)
    assert await _objects_with_canary(memory) == []
    assert _files_with_canary(_shelf(tmp_path)) == []
    assert _reachable_with_canary(memory) == []
    assert CANARY not in str(await memory.dump())
    assert CANARY not in str(await memory.recall(RecallQuery(text=f"{CANARY} Pip attic")))
    assert "D1:2" in str(await memory.recall(RecallQuery(text="violins in Lisbon")))


async def test_a_fork_keeps_what_another_forgets(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind, SAID)
    fork = await memory.fork()
    await _forget(memory)
    assert CANARY in str(await fork.recall(RecallQuery(text=CANARY)))
    await fork.write(MemoryEvent(id="D2:1", content="A swift under the roof."))
    assert CANARY in str(await fork.dump())
    assert CANARY not in str(await memory.dump())
    await fork.close()


async def test_words_that_stand_there_are_forgotten_and_other_words_are_not(open_memory: Any) -> None:
    memory = await open_memory("words", SAID)
    nothing = await memory.forget(ForgetDemand(content="the songbird upstairs"))
    assert (nothing.removed, nothing.note) == ((), "0 items with these words removed")
    quoted = await memory.forget(ForgetDemand(content='Please forget "old violins"'))
    assert quoted.removed == ("D1:2",)
    assert [item.id for item in await memory.dump()] == ["D1:1", "D1:3"]


async def test_an_event_that_waits_can_be_forgotten(open_memory: Any) -> None:
    memory = await open_memory("words", {})
    await memory.write(MemoryEvent(id="D1:1", content=f"A {CANARY}."))
    assert await _forget(memory) == ("D1:1",)
    assert list(await memory.dump()) == []
    assert list(await memory.recall(RecallQuery(text=CANARY))) == []
    assert await _objects_with_canary(memory) == []


async def test_two_events_with_equal_text_are_forgotten_one_by_one(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind, {"a": "the same words", "b": "the same words"})
    await memory.forget(ForgetDemand(content="", event_ids=("a",)))
    assert [item.id for item in await memory.recall(RecallQuery(text="the same words"))] == ["b"]
    await memory.forget(ForgetDemand(content="", event_ids=("b",)))
    assert list(await memory.dump()) == []


async def test_of_a_session_only_the_forgotten_event_goes(open_memory: Any, tmp_path: Path) -> None:
    memory = await open_memory("files", {}, document="session")
    for number, content in enumerate(SAID.values(), start=1):
        await memory.write(MemoryEvent(id=f"D1:{number}", content=content, speaker="Maya", session_id="first"))
    (before,) = await memory.dump()
    assert before.event_ids == ("D1:1", "D1:2", "D1:3")
    assert await _forget(memory) == (before.id,)
    (after,) = await memory.dump()
    assert after.event_ids == ("D1:2", "D1:3")
    assert _files_with_canary(_shelf(tmp_path)) == []


async def test_what_is_replaced_is_in_no_object_either(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind, SAID)
    await memory.dump()
    await memory.write(MemoryEvent(id="D1:1", content="I keep no bird."))
    await memory.dump()
    assert await _objects_with_canary(memory) == []


async def test_the_raw_text_of_what_was_never_brought_in_goes_too(
    open_memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = await open_memory("words", {"a": "a first event"})
    await memory.dump()
    await memory.write(MemoryEvent(id="b", content=f"A {CANARY}."))

    async def broken(*_: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(IndexFullText, "run", broken)
        with pytest.raises(KnowledgeBuildError):
            await memory.dump()
    await memory.write(MemoryEvent(id="b", content="Another text."))
    assert len(await memory.dump()) == 2
    assert not [key for key in await _objects_with_canary(memory) if key.startswith("raw/")]

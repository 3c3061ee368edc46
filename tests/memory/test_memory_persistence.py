"""A persisted memory comes back as it was, or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.memory.base import ForgetDemand, MemoryEvent, MemoryScope
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heta_framework.common.stores.snapshot import SnapshotError

pytestmark = pytest.mark.anyio


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


@contextmanager
def _cut(file: Path) -> Iterator[None]:
    content = file.read_bytes()
    file.write_bytes(content[:-40])
    yield
    file.write_bytes(content)


def _replace_by_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


async def test_a_restored_memory_recalls_and_goes_on_like_the_original(remembering: Any, tmp_path: Path) -> None:
    memory = await remembering.open()
    instant = datetime(2024, 2, 29, tzinfo=UTC)
    await memory.write(MemoryEvent(id="D1:1", content="Пеппер 東京 \ud800 kitten", at=instant))
    await memory.forget(ForgetDemand(content="", event_ids=("D1:3",)))
    await memory.persist(tmp_path)
    twin = await remembering.open({"other": "something else"})
    await twin.restore(tmp_path)
    for _ in range(2):
        assert await twin.dump() == await memory.dump()
        for text in ("kitten", "東京", "violins"):
            gold = ["D1:2", "D1:1", "after 1", "other"]
            assert await remembering.ask(twin, text, gold=gold) == await remembering.ask(memory, text, gold=gold)
        for one in (memory, twin):
            await one.write_all([MemoryEvent(id=f"after {n}", content="A second kitten in 東京") for n in range(5)])


async def test_a_fork_persists_its_own_state(remembering: Any, tmp_path: Path) -> None:
    parent = await remembering.open()
    fork = await parent.fork()
    await fork.write(MemoryEvent(id="D9:1", content="A kitten on the fork"))
    await fork.persist(tmp_path)
    await parent.restore(tmp_path)
    assert await parent.dump() == await fork.dump()
    found = await remembering.ask(parent, "kitten", gold=["D9:1"])
    assert found == await remembering.ask(fork, "kitten", gold=["D9:1"])


async def test_a_fork_stays_when_its_parent_is_restored(remembering: Any, tmp_path: Path) -> None:
    parent = await remembering.open()
    await parent.persist(tmp_path)
    await parent.write(MemoryEvent(id="D9:1", content="A kitten too late for the state"))
    fork = await parent.fork()
    await parent.restore(tmp_path)
    assert "D9:1" not in [item.id for item in await remembering.ask(parent, "kitten", gold=["D9:1"])]
    assert "D9:1" in [item.id for item in await remembering.ask(fork, "kitten", gold=["D9:1"])]


async def test_a_damaged_or_missing_state_is_refused_and_the_present_one_stays(
    remembering: Any, tmp_path: Path
) -> None:
    memory = await remembering.open()
    with pytest.raises(SnapshotError, match="no saved state"):
        await memory.restore(tmp_path)
    await memory.persist(tmp_path)
    await memory.write(MemoryEvent(id="D9:1", content="A kitten after the state"))
    before = await remembering.ask(memory, "kitten", gold=["D9:1"])
    for file in _files(tmp_path):
        with _cut(file), pytest.raises(SnapshotError, match=file.name):
            await memory.restore(tmp_path)
        assert await remembering.ask(memory, "kitten", gold=["D9:1"]) == before
    await memory.restore(tmp_path)
    assert "D9:1" not in [item.id for item in await memory.dump()]


async def test_a_state_that_was_written_halfway_is_no_state(searching: Any, tmp_path: Path) -> None:
    memory = await searching.open()
    await memory.persist(tmp_path)
    index_files = [file for file in _files(tmp_path) if file.name != "items.snapshot"]
    assert index_files
    _replace_by_a_folder(index_files[0])
    with pytest.raises(OSError, match=index_files[0].name):
        await memory.persist(tmp_path)
    with pytest.raises(SnapshotError, match="no saved state"):
        await memory.restore(tmp_path)


async def test_a_state_can_be_moved_to_another_folder(remembering: Any, tmp_path: Path) -> None:
    memory = await remembering.open()
    await memory.persist(tmp_path / "here")
    shutil.move(tmp_path / "here", tmp_path / "there")
    twin = await remembering.open({})
    await twin.restore(tmp_path / "there")
    assert await twin.dump() == await memory.dump()


async def test_a_state_of_another_configuration_is_refused(subjects: Any, tmp_path: Path) -> None:
    await (await subjects["lexical"].open()).persist(tmp_path)
    unstemmed = await LexicalMemorySystem(LexicalMemoryConfig(stemmer="none")).open(MemoryScope(id="scope"))
    with pytest.raises(SnapshotError, match="'stemmer': 'none'"):
        await unstemmed.restore(tmp_path)
    with pytest.raises(SnapshotError, match="'type': 'oracle'"):
        await (await subjects["oracle"].open()).restore(tmp_path)

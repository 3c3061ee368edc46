"""Objects as files: whole or not at all, and nothing else in the folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from heta_framework.common.stores import LocalObjectStore, LocalObjectStoreConfig, ObjectStoreError
from heta_framework.common.stores.object.keys import INCOMING
from heta_framework.common.stores.object.local import SMALL

# ruff: noqa: ASYNC220, ASYNC240

pytestmark = pytest.mark.anyio

_WRITER = """
import sys, anyio
from heta_framework.common.stores.object.local import LocalObjectStore

async def write():
    store = LocalObjectStore(sys.argv[1])
    for number in range(10**9):
        await store.put("packs/big", bytes([number % 256]) * 8_000_000)
        if not number:
            print("writing", flush=True)

anyio.run(write)
"""


async def test_the_key_is_the_path_below_the_root(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    await store.put("raw/a b.txt", b"text")
    assert (tmp_path / "raw" / "a b.txt").read_bytes() == b"text"
    (tmp_path / "raw" / "by hand.txt").write_bytes(b"x")
    assert [info.key for info in await LocalObjectStore(str(tmp_path)).list()] == ["raw/a b.txt", "raw/by hand.txt"]


async def test_a_put_that_is_killed_leaves_the_object_of_before_or_after(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout
            writer.stdout.readline()
            for _ in range(10):
                data = await store.get("packs/big")
                assert len(data) == 8_000_000 == data.count(data[:1])
                if any((tmp_path / INCOMING).iterdir()):
                    break
            writer.send_signal(signal.SIGKILL)
        data = await store.get("packs/big")
        assert len(data) == 8_000_000 == data.count(data[:1])
        assert [info.key for info in await store.list()] == ["packs/big"]


async def test_what_interrupted_puts_left_is_removed_after_a_day(tmp_path: Path) -> None:
    incoming = tmp_path / INCOMING
    incoming.mkdir()
    for name, age in (("old", 2 * 86400), ("young", 60)):
        (incoming / name).write_bytes(b"half")
        os.utime(incoming / name, (time.time() - age,) * 2)
    store = LocalObjectStore(tmp_path)
    await store.put("a", b"1")
    assert [path.name for path in incoming.iterdir()] == ["young"]
    assert [info.key for info in await store.list()] == ["a"]


async def test_a_put_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    await store.put("a/b", b"1")
    for key in ("a", "a/b/c"):
        with pytest.raises(ObjectStoreError, match=f"'{key}'.*in its way"):
            await store.put(key, b"2")
    assert [info.key for info in await store.list()] == ["a/b"]
    assert list((tmp_path / INCOMING).iterdir()) == []


async def test_a_name_can_be_a_folder_first_and_an_object_later(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    await store.put("a/b/c", b"1")
    await store.delete("a/b/c")
    assert [path.name for path in tmp_path.iterdir()] == [INCOMING]
    await store.put("a", b"2")
    (tmp_path / "left" / "empty").mkdir(parents=True)
    await store.put("left/empty", b"3")
    assert [info.key for info in await store.list()] == ["a", "left/empty"]


async def test_two_stores_write_and_delete_in_one_folder_at_once(tmp_path: Path) -> None:
    stores = [LocalObjectStore(tmp_path), LocalObjectStore(tmp_path)]

    def toil(store: LocalObjectStore, mine: int) -> None:
        async def work() -> None:
            for number in range(40):
                await store.put(f"shared/{mine}/{number}", b"x")
                await store.delete(f"shared/{mine}/{number}")
            await store.put(f"kept/{mine}", b"x")

        anyio.run(work)

    async with anyio.create_task_group() as group:
        for mine, store in enumerate(stores):
            group.start_soon(anyio.to_thread.run_sync, toil, store, mine)
    assert [info.key for info in await stores[0].list()] == ["kept/0", "kept/1"]


async def test_small_and_large_objects_come_back_whole(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    for size in (0, 1, SMALL - 1, SMALL, SMALL + 1, 5_000_000):
        data = os.urandom(size)
        await store.put("object", data)
        assert await store.get("object") == data


async def test_files_whose_names_are_no_keys_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "back\\slash").write_bytes(b"")
    (tmp_path / "line\nbreak").write_bytes(b"")
    (tmp_path / os.fsdecode(b"latin-\xe9")).write_bytes(b"")
    (tmp_path / "fine").write_bytes(b"")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert [info.key for info in await LocalObjectStore(tmp_path).list()] == ["fine"]


async def test_a_root_that_is_a_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = LocalObjectStore(tmp_path / "file")
    with pytest.raises(ObjectStoreError, match="cannot be written"):
        await store.put("a", b"")
    assert await store.list() == []


def test_a_root_must_be_given() -> None:
    assert LocalObjectStoreConfig("kb").root == "kb"
    for make in (LocalObjectStore, LocalObjectStoreConfig):
        with pytest.raises(ValueError, match="root must not be empty"):
            make(" ")


async def test_the_file_of_a_key_is_told(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    await store.put("a/b.txt", b"content")
    assert store.path_of("a/b.txt").read_bytes() == b"content"
    assert not store.path_of("a/none").exists()
    with pytest.raises(ValueError, match=r"\.\."):
        store.path_of("../b.txt")

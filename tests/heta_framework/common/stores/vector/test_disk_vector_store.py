"""The vector store in a directory: what a kill leaves, other processes, damaged files, compaction, the graph."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import pytest
from filelock import FileLock

from heta_framework.common.stores.vector import VectorCollectionConfig, VectorQuery, VectorRecord
from heta_framework.common.stores.vector.disk import DiskVectorStore
from heta_framework.common.stores.vector.errors import VectorStoreError

pytestmark = pytest.mark.anyio
needs_graphs = pytest.mark.skipif(find_spec("usearch") is None, reason="needs the extra ann")

_DIMENSION = 16
_CONFIG = VectorCollectionConfig("texts", _DIMENSION)

# Upserts the same ids again and again, or ever new ones, and says which round is committed.
_WRITER = """
import anyio, itertools, sys
import numpy as np
from heta_framework.common.stores.vector import VectorCollectionConfig, VectorRecord
from heta_framework.common.stores.vector.disk import DiskVectorStore

folder, size, same = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "same"

async def write():
    store = DiskVectorStore(folder)
    await store.create_collection(VectorCollectionConfig("texts", 16))
    for number in itertools.count():
        rows = np.random.default_rng(number).standard_normal((size, 16)).astype(np.float32)
        first = 0 if same else number * size
        await store.upsert("texts", [VectorRecord(f"id {first + n}", rows[n], f"round {number}") for n in range(size)])
        print(number, flush=True)

anyio.run(write)
"""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[DiskVectorStore]:
    opened = DiskVectorStore(tmp_path, exact_below=200)
    yield opened
    await opened.aclose()


def _vectors(count: int, seed: int = 0) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((count, _DIMENSION)).astype(np.float32)


def _records(count: int, seed: int = 0, first: int = 0) -> list[VectorRecord]:
    rows = _vectors(count, seed)
    return [VectorRecord(f"id {first + row}", rows[row], f"text {first + row}", {"row": row}) for row in range(count)]


async def _nearest(store: DiskVectorStore, vector: npt.NDArray[np.float32], top_k: int = 1) -> list[str]:
    return [hit.id for hit in await store.search("texts", VectorQuery(vector, top_k=top_k))]


def _killed_after(rounds: int, folder: Path, size: int, ids: str) -> int:
    """Start a writer, kill it when some rounds are done and the next is under way; return the last that it told."""
    command = [sys.executable, "-c", _WRITER, str(folder), str(size), ids]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        output: IO[str] = process.stdout  # type: ignore[assignment]
        told = [int(output.readline()) for _ in range(rounds)]
        process.kill()
        told += [int(line) for line in output.read().splitlines()]
    return told[-1]


@pytest.mark.parametrize("rounds", [1, 5])
async def test_a_kill_leaves_exactly_the_committed_upserts(tmp_path: Path, rounds: int) -> None:
    last = _killed_after(rounds, tmp_path, 40, "new")
    store = DiskVectorStore(tmp_path)
    count = await store.count("texts")
    assert count in (40 * (last + 1), 40 * (last + 2))  # the last one may be committed and not told
    for number in range(count // 40):
        rows = _vectors(40, number)
        assert await _nearest(store, rows[7]) == [f"id {number * 40 + 7}"]
    await store.upsert("texts", _records(40, count // 40, first=count))
    assert await _nearest(store, _vectors(40, count // 40)[39]) == [f"id {count + 39}"]
    await store.aclose()


async def test_a_kill_while_rows_are_replaced_and_compacted_mixes_nothing(tmp_path: Path) -> None:
    last = _killed_after(7, tmp_path, 600, "same")  # more than half is dead after every second round
    store = DiskVectorStore(tmp_path)
    assert await store.count("texts") == 600
    (hit,) = await store.search("texts", VectorQuery(_vectors(1)[0], 1))
    number = int(str(hit.text).removeprefix("round "))
    assert number in (last, last + 1)
    for row, vector in enumerate(_vectors(600, number)[::100]):
        (best,) = await store.search("texts", VectorQuery(vector, 1))
        assert (best.id, best.text) == (f"id {row * 100}", f"round {number}")
        assert best.score == pytest.approx(1.0)
    await store.aclose()


async def test_vectors_that_a_killed_write_left_are_overwritten(store: DiskVectorStore, tmp_path: Path) -> None:
    await store.create_collection(_CONFIG)
    await store.upsert("texts", _records(10))
    with (tmp_path / "texts" / "vectors-0.f32").open("r+b") as file:
        file.seek(10 * _DIMENSION * 4)
        file.write(_vectors(30, seed=9).tobytes())
    assert await _nearest(store, _vectors(30, seed=9)[3]) != ["id 13"]
    await store.upsert("texts", _records(30, seed=4, first=10))
    assert await _nearest(store, _vectors(30, seed=4)[3]) == ["id 13"]
    assert await store.count("texts") == 40


async def test_another_process_sees_what_is_committed_and_writes_in_its_turn(tmp_path: Path) -> None:
    ours, theirs = DiskVectorStore(tmp_path), DiskVectorStore(tmp_path)
    await ours.create_collection(_CONFIG)
    await ours.upsert("texts", _records(100))
    assert await _nearest(theirs, _vectors(100)[99]) == ["id 99"]
    await theirs.upsert("texts", _records(100, seed=1, first=100))
    await theirs.delete("texts", [f"id {n}" for n in range(50)])
    assert await _nearest(ours, _vectors(100, seed=1)[99]) == ["id 199"]
    assert await _nearest(ours, _vectors(100)[3]) != ["id 3"]
    await ours.drop_collection("texts")
    assert not await theirs.has_collection("texts")
    await ours.create_collection(VectorCollectionConfig("texts", 3, "dot"))
    assert await theirs.search("texts", VectorQuery([1, 2, 3])) == []
    await ours.aclose()
    await theirs.aclose()


async def test_a_process_that_keeps_writing_is_told(tmp_path: Path) -> None:
    store = DiskVectorStore(tmp_path, patience=0.01)
    await store.create_collection(_CONFIG)
    with FileLock(tmp_path / "texts" / "writer.lock"):
        with pytest.raises(VectorStoreError, match="being written by another process"):
            await store.upsert("texts", _records(1))
        assert await store.count("texts") == 0  # reading waits for nobody
    await store.upsert("texts", _records(1))
    await store.aclose()


async def test_compaction_drops_the_dead_and_changes_no_answer(store: DiskVectorStore, tmp_path: Path) -> None:
    await store.create_collection(_CONFIG)
    await store.upsert("texts", _records(2_500))
    kept = [f"id {n}" for n in range(0, 2_500, 5)]
    await store.delete("texts", [f"id {n}" for n in range(2_500) if n % 5])
    assert _files(tmp_path, "texts/vectors-*") == [tmp_path / "texts" / "vectors-1.f32"]
    assert await store.count("texts") == len(kept)
    scores = _unit(_vectors(2_500)[::5]) @ _unit(_vectors(1, seed=3))[0]
    expected = [kept[row] for row in np.argsort(-scores)[:10]]
    assert await _nearest(store, _vectors(1, seed=3)[0], 10) == expected
    await store.aclose()
    assert await _nearest(store, _vectors(1, seed=3)[0], 10) == expected


@pytest.mark.parametrize("file", ["records.sqlite", "vectors-0.f32"])
async def test_damaged_files_are_named_and_can_be_dropped(store: DiskVectorStore, tmp_path: Path, file: str) -> None:
    await store.create_collection(_CONFIG)
    await store.upsert("texts", _records(10))
    await store.aclose()
    (tmp_path / "texts" / file).write_bytes(b"torn")
    with pytest.raises(VectorStoreError, match=f"{file}: .*drop the collection and build it again"):
        await store.search("texts", VectorQuery([1.0] * _DIMENSION))
    await store.drop_collection("texts")
    await store.create_collection(_CONFIG)
    await store.upsert("texts", _records(10))
    assert await store.count("texts") == 10


async def test_any_name_and_any_text_can_be_kept(store: DiskVectorStore, tmp_path: Path) -> None:
    name = "../evil/../ name."
    await store.create_collection(VectorCollectionConfig(name, 2))
    record = VectorRecord("id", [1, 2], "half \ud800 and \0", {"key \ud800": ["\udfff"]})
    await store.upsert(name, [record])
    (hit,) = await store.search(name, VectorQuery([1, 2]))
    assert (hit.text, hit.metadata) == (record.text, record.metadata)
    assert await store.count(name) == 1
    assert len(_files(tmp_path, "*/records.sqlite")) == 1


async def test_metadata_that_is_not_json_is_refused_by_name(store: DiskVectorStore) -> None:
    await store.create_collection(_CONFIG)
    with pytest.raises(ValueError, match="metadata of record 'bad' cannot be stored as JSON"):
        await store.upsert("texts", [*_records(2), VectorRecord("bad", [1.0] * _DIMENSION, None, {"when": object()})])
    assert await store.count("texts") == 0


@needs_graphs
async def test_the_graph_survives_reopening_and_follows_later_writes(store: DiskVectorStore, tmp_path: Path) -> None:
    await store.create_collection(_CONFIG)
    await store.upsert("texts", _records(1_000))
    await store.aclose()
    assert len(_files(tmp_path, "texts/graph-*.usearch")) == 1
    await store.upsert("texts", _records(1_000, seed=1, first=1_000))
    await store.delete("texts", [f"id {n}" for n in range(500)])
    truth = np.concatenate([_vectors(1_000)[500:], _vectors(1_000, seed=1)])
    for query in _unit(_vectors(20, seed=2)):
        expected = [f"id {500 + row}" for row in np.argsort(-(_unit(truth) @ query))[:10]]
        assert len(set(await _nearest(store, query, 10)) & set(expected)) >= 9


def _flip(content: bytes) -> bytes:
    return content[:5_000] + bytes([content[5_000] ^ 1]) + content[5_001:]


@needs_graphs
@pytest.mark.parametrize("damage", [_flip, lambda content: content[:100], lambda content: b""])
async def test_a_torn_or_altered_graph_is_made_again(
    store: DiskVectorStore, tmp_path: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    await store.create_collection(_CONFIG)
    await store.upsert("texts", _records(1_000))
    await store.aclose()
    (graph,) = _files(tmp_path, "texts/graph-*.usearch")
    graph.write_bytes(damage(graph.read_bytes()))
    with caplog.at_level(logging.WARNING):
        assert await _nearest(store, _vectors(1_000)[123]) == ["id 123"]
    assert "made again from the vectors" in caplog.text
    await store.aclose()
    (again,) = _files(tmp_path, "texts/graph-*.usearch")
    assert again != graph


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    unit: npt.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))

"""A store that takes whole objects alone gets the cases in parts, which are joined at the end."""

import gc
import json
from typing import Any, cast

import anyio
import anyio.to_thread
import pytest

from heta_framework.common.stores import MemoryObjectStore, S3ObjectStore
from heta_framework.evaluation.records import CaseLog, SavedCases
from heta_framework.evaluation.records import case_log as case_log_module

pytestmark = pytest.mark.anyio
FOLDER = "evaluations/r1"
MODES = ("vector_search",)


@pytest.fixture(autouse=True)
def _quick_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_log_module, "_PART_EVERY_S", 0.01)


async def _write(objects: Any, *results: Any, finish: bool = False) -> None:
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        for result in results:
            durable = anyio.Event()
            log.submit(result, int(result.case_id[1:]), "corpus", durable.set)
            await durable.wait()
        if finish:
            await log.finish()


async def _names(objects: Any) -> list[str]:
    return [info.key.removeprefix(f"{FOLDER}/") for info in await objects.list(FOLDER)]


async def test_a_bucket_gets_parts_that_are_joined_at_the_end(s3: Any, make_result: Any) -> None:
    objects = S3ObjectStore(**s3.arguments())
    results = tuple(make_result(f"c{number}", hits=(number, 1)) for number in range(3))
    await _write(objects, *results[:2])
    parts = await _names(objects)
    assert parts == [f"{name}.jsonl.parts/0000000{number}" for name in ("cases", "texts") for number in (1, 2)]
    assert await SavedCases.open(objects, FOLDER) == results[:2]
    await _write(objects, results[2], finish=True)
    assert await _names(objects) == ["cases.jsonl", "texts.jsonl"]
    saved = await SavedCases.open(objects, FOLDER)
    assert saved == results
    place = saved._source.place.parent
    assert place.is_dir()
    del saved
    await anyio.to_thread.run_sync(gc.collect)  # a worker thread keeps its last result until it has another
    assert not place.exists()


async def test_a_case_is_durable_when_its_texts_are_in_the_store(
    memory_store: MemoryObjectStore, make_result: Any
) -> None:
    async with await CaseLog.open(memory_store, FOLDER, modes=MODES) as log:
        durable = anyio.Event()
        log.submit(make_result("c0"), 0, "corpus", durable.set)
        await durable.wait()
        assert await SavedCases.open(memory_store, FOLDER) == (make_result("c0"),)


class _DiesWhileJoining(MemoryObjectStore):
    """Raises at the n-th call of ``put`` or ``delete`` after ``calls_left`` was set."""

    calls_left: int | None = None

    def _count(self) -> None:
        if self.calls_left is not None:
            self.calls_left -= 1
            if self.calls_left < 0:
                raise ConnectionError("gone")

    async def put(self, key: str, data: bytes) -> None:
        self._count()
        await super().put(key, data)

    async def delete(self, key: str) -> None:
        self._count()
        await super().delete(key)


@pytest.mark.parametrize("calls", range(10))
async def test_an_old_part_is_never_taken_for_newer_than_what_was_joined(make_result: Any, calls: int) -> None:
    objects = _DiesWhileJoining()
    await _write(objects, make_result("c0", failed=True))
    await _write(objects, make_result("c0"), make_result("c1"))
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        objects.calls_left = calls
        with pytest.raises(ConnectionError):
            await log.finish()
    objects.calls_left = None
    await _write(objects, make_result("c2"))
    expected = tuple(make_result(f"c{number}") for number in range(3))
    assert await SavedCases.open(objects, FOLDER) == expected
    await _write(objects, finish=True)
    assert await SavedCases.open(objects, FOLDER) == expected
    assert await _names(objects) == ["cases.jsonl", "texts.jsonl"]


async def test_a_torn_line_in_a_bucket_is_set_aside_there_too(
    memory_store: MemoryObjectStore, make_result: Any
) -> None:
    await _write(memory_store, make_result("c0"), make_result("c1"), finish=True)
    data = await memory_store.get(f"{FOLDER}/cases.jsonl")
    await memory_store.put(f"{FOLDER}/cases.jsonl", data[:-5])
    await _write(memory_store, make_result("c2"), finish=True)
    lines = (await memory_store.get(f"{FOLDER}/cases.jsonl")).splitlines()
    assert [cast("dict[str, Any]", json.loads(line))["case_id"] for line in lines] == ["c0", "c2"]

"""`SavedCases` behaves as the tuple of its results would, and reads them one by one."""

import gc
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation.errors import ReportFileError
from heta_framework.evaluation.records import CaseLog, SavedCases

pytestmark = pytest.mark.anyio
FOLDER = "reports/r1"


@pytest.fixture
def results(make_result: Any) -> tuple[Any, ...]:
    return tuple(make_result(f"c{number}", hits=(number, number + 1, 7)) for number in range(10))


@pytest.fixture
async def saved(tmp_path: Path, results: tuple[Any, ...]) -> SavedCases:
    async with await CaseLog.open(LocalObjectStore(tmp_path), FOLDER, modes=("vector_search",)) as log:
        for ordinal, result in enumerate(results):
            log.submit(result, ordinal, "corpus")
        return await log.finish()


async def test_it_is_the_tuple_of_its_results(saved: SavedCases, results: tuple[Any, ...]) -> None:
    assert isinstance(saved, Sequence)
    assert len(saved) == 10
    assert saved == results
    assert list(saved) == list(results)
    assert saved[0] == results[0]
    assert saved[-1] == results[-1]
    assert list(reversed(saved)) == list(reversed(results))
    assert results[3] in saved
    assert saved.index(results[3]) == 3
    assert saved != results[:-1]
    assert saved != results[::-1]
    assert saved != "c0"
    with pytest.raises(IndexError):
        saved[10]


@pytest.mark.parametrize("part", [slice(2, 5), slice(None, None, -1), slice(-3, None), slice(5, 2), slice(0, 10, 4)])
async def test_slices_read_lazily_too(saved: SavedCases, results: tuple[Any, ...], part: slice) -> None:
    assert isinstance(saved[part], SavedCases)
    assert saved[part] == results[part]
    assert len(saved[part]) == len(results[part])


async def test_a_case_is_found_by_its_id_and_mode(saved: SavedCases, results: tuple[Any, ...]) -> None:
    assert saved.find("c4", "vector_search") == results[4]
    assert saved.find("c4", "other") is None
    assert saved[2:4].find("c4", "vector_search") is None


async def test_it_may_be_read_from_several_threads(saved: SavedCases, results: tuple[Any, ...]) -> None:
    same: list[bool] = []
    threads = [threading.Thread(target=lambda: same.append(saved == results)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 4


async def test_a_run_that_goes_on_can_be_looked_at(tmp_path: Path, results: tuple[Any, ...]) -> None:
    objects = LocalObjectStore(tmp_path)
    assert len(await SavedCases.open(objects, "reports/none")) == 0
    async with await CaseLog.open(objects, "reports/going", modes=("vector_search",)) as log:
        durable = anyio.Event()
        log.submit(results[0], 0, "corpus", durable.set)
        await durable.wait()
        assert await log.saved() == results[:1]
        assert await SavedCases.open(objects, "reports/going") == results[:1]


async def test_files_are_closed_when_nobody_reads_any_more(saved: SavedCases) -> None:
    assert saved[0].response is not None
    first = saved._source._cases
    assert first is not None
    handle = first._file
    del first
    saved._source._cases = None
    gc.collect()
    assert handle.closed


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("texts.jsonl", b'"text":', b'"tex_":', "'[0-9a-f]{16}' with a text.*missing or damaged"),
        ("cases.jsonl", b'"query":', b'"quer_":', "line at byte 0 is no case .KeyError: 'query'"),
        ("cases.jsonl", b'"latency_ms":1.5', b'"latency_ms":1.5"', "line at byte 0 is no case"),
    ],
)
async def test_damage_is_told_with_its_place(
    tmp_path: Path, saved: SavedCases, name: str, old: bytes, new: bytes, said: str
) -> None:
    path = tmp_path / FOLDER / name
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(ReportFileError, match=f"{name}: .*{said}"):
        (await SavedCases.open(LocalObjectStore(tmp_path), FOLDER))[0]

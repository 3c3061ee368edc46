"""The log of cases: durable before counted, resumed where it stopped, right whatever a dead process left behind."""

import json
import os
from pathlib import Path
from typing import Any

import anyio
import pytest

from heta_framework.common.stores import LocalObjectStore, ObjectStoreError
from heta_framework.evaluation.errors import ReportBusyError
from heta_framework.evaluation.records import CaseLog, SavedCases

pytestmark = pytest.mark.anyio
FOLDER = "_heta/knowledge_bases/kb/evaluations/r1"
MODES = ("vector_search",)


@pytest.fixture
def objects(tmp_path: Path) -> LocalObjectStore:
    return LocalObjectStore(tmp_path)


def _file(objects: LocalObjectStore, name: str) -> Path:
    return objects.path_of(f"{FOLDER}/{name}")


async def _log(objects: Any, *results: Any, finish: bool = True) -> None:
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        for ordinal, result in enumerate(results, start=len(log.done)):
            log.submit(result, ordinal, "corpus")
        if finish:
            await log.finish()


async def test_a_case_is_in_the_file_when_it_is_called_durable(objects: LocalObjectStore, make_result: Any) -> None:
    seen: list[bool] = []
    durable = anyio.Event()

    def look() -> None:
        line = json.loads(_file(objects, "cases.jsonl").read_bytes().splitlines()[-1])
        entries = {json.loads(entry)["id"] for entry in _file(objects, "texts.jsonl").read_bytes().splitlines()}
        seen.append({hit["ref"] for hit in line["response"]["results"]} <= entries)
        durable.set()

    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        log.submit(make_result("c1"), 0, "corpus", look)
        await durable.wait()
    assert seen == [True]


async def test_done_and_failed_cases_are_known_again(objects: LocalObjectStore, make_result: Any) -> None:
    odd = 'a "quoted" \\ id\twith ünïcödé / and 日本'
    await _log(objects, make_result("c1"), make_result("c2", failed=True), make_result(odd), finish=False)
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        assert set(log.done) == {(case_id, MODES[0]) for case_id in ("c1", "c2", odd)}
        assert log.failed == {("c2", MODES[0])}
        assert [(line.ordinal, line.unit) for line in log.done.values()] == [
            (0, "corpus"),
            (1, "corpus"),
            (2, "corpus"),
        ]


async def test_results_come_in_the_order_of_their_ordinals(objects: LocalObjectStore, make_result: Any) -> None:
    async with await CaseLog.open(objects, FOLDER, modes=("a", "b")) as log:
        for case, mode in ((1, "b"), (0, "b"), (1, "a"), (0, "a")):
            log.submit(make_result(f"c{case}", mode=mode), case * 2 + "ab".index(mode), "corpus")
        saved = await log.finish()
    assert saved.keys() == [("c0", "a"), ("c0", "b"), ("c1", "a"), ("c1", "b")]


async def test_the_last_result_of_a_case_counts_and_the_others_go(objects: LocalObjectStore, make_result: Any) -> None:
    await _log(objects, make_result("c1", failed=True), make_result("c2"), finish=False)
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        log.submit(make_result("c1"), 0, "corpus")
        saved = await log.finish()
    assert [one.error for one in saved] == [None, None]
    assert _file(objects, "cases.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("cut", [1, 40, 400])
async def test_a_torn_last_line_is_cut_off_and_its_case_asked_again(
    objects: LocalObjectStore, make_result: Any, cut: int
) -> None:
    await _log(objects, make_result("c1"), make_result("c2"), finish=False)
    for name, torn in (("cases.jsonl", cut), ("texts.jsonl", min(cut, 40))):
        path = _file(objects, name)
        os.truncate(path, path.stat().st_size - torn)
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        assert set(log.done) == {("c1", MODES[0])}
        log.submit(make_result("c2", hits=(1, 2, 3)), 1, "corpus")
        saved = await log.finish()
    assert list(saved) == [make_result("c1"), make_result("c2", hits=(1, 2, 3))]


async def test_a_damaged_line_is_set_aside(objects: LocalObjectStore, make_result: Any) -> None:
    await _log(objects, make_result("c1"), make_result("c2"), make_result("c3"))
    path = _file(objects, "cases.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0" * 40 + b"\n" + lines[2])
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        assert {case_id for case_id, _ in log.done} == {"c1", "c3"}
    assert path.read_bytes() == lines[0] + lines[2]
    assert _file(objects, "cases.jsonl.damaged").read_bytes() == b"\0" * 40 + b"\n"


async def test_two_runs_do_not_write_one_report(objects: LocalObjectStore) -> None:
    async with await CaseLog.open(objects, FOLDER, modes=MODES):
        with pytest.raises(ReportBusyError, match="choose another report_id"):
            await CaseLog.open(objects, FOLDER, modes=MODES)
    async with await CaseLog.open(objects, FOLDER, modes=MODES):
        pass


async def test_a_disk_that_refuses_stops_the_run(objects: LocalObjectStore, make_result: Any) -> None:
    _file(objects, "cases.jsonl").parent.mkdir(parents=True)
    _file(objects, "texts.jsonl").symlink_to("/dev/full")
    with pytest.raises(ObjectStoreError, match=r"cannot be written to .*No space left"):
        await _log(objects, make_result("c1"))


async def test_what_was_submitted_is_written_when_the_run_is_cancelled(
    objects: LocalObjectStore, make_result: Any
) -> None:
    with anyio.CancelScope() as scope:
        async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
            log.submit(make_result("c1"), 0, "corpus")
            scope.cancel()
            await anyio.sleep(10)
    assert [one.case_id for one in await SavedCases.open(objects, FOLDER)] == ["c1"]


async def test_a_log_takes_only_its_modes_and_nothing_after_its_end(
    objects: LocalObjectStore, make_result: Any
) -> None:
    async with await CaseLog.open(objects, FOLDER, modes=MODES) as log:
        with pytest.raises(ValueError, match="'other'; this log has vector_search"):
            log.submit(make_result("c1", mode="other"), 0, "corpus")
        await log.finish()
        with pytest.raises(RuntimeError, match="open it again"):
            log.submit(make_result("c1"), 0, "corpus")


async def test_a_text_that_comes_back_is_stored_once(objects: LocalObjectStore, make_result: Any) -> None:
    await _log(objects, *(make_result(f"c{number}", hits=(1, 2, 3)) for number in range(5)), finish=False)
    await _log(objects, *(make_result(f"d{number}", hits=(1, 2, 3)) for number in range(5)))
    texts = [json.loads(line) for line in _file(objects, "texts.jsonl").read_bytes().splitlines()]
    assert len({entry["id"] for entry in texts}) == len(texts)
    assert sum("text" in entry for entry in texts) == sum("result" in entry for entry in texts) == 3
    assert b"says" not in _file(objects, "cases.jsonl").read_bytes()

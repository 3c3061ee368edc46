"""The writer: durable before counted, ordered, and honest when the disk refuses."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from heams.orchestration.store import INGESTS, RUNS, TEXTS, ResultWriter, StoreError
from heta_framework.common.durable_lines import AppendOnlyFile


def test_lines_are_on_disk_when_they_are_called_durable(tmp_path: Path) -> None:
    on_disk: list[int] = []

    async def scenario() -> None:
        async with ResultWriter(tmp_path) as writer:
            for number in range(100):
                line = b'{"n":%d}' % number
                writer.submit(RUNS, line, lambda: on_disk.append((tmp_path / RUNS).read_bytes().count(b"\n")))

    asyncio.run(scenario())
    assert len(on_disk) == 100
    assert all(count == 100 for count in on_disk[-1:])
    assert (tmp_path / RUNS).read_bytes() == b"".join(b'{"n":%d}\n' % number for number in range(100))


def test_texts_and_ingests_are_written_before_the_results_that_need_them(tmp_path: Path) -> None:
    order: list[str] = []
    original = AppendOnlyFile.append

    def spy(self: AppendOnlyFile, data: bytes) -> None:
        order.append(self._path.name)
        original(self, data)

    async def scenario() -> None:
        async with ResultWriter(tmp_path) as writer:
            for name in (RUNS, INGESTS, TEXTS):
                writer.submit(name, b"{}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AppendOnlyFile, "append", spy)
        asyncio.run(scenario())
    assert order == [TEXTS, INGESTS, RUNS]


def test_a_write_that_fails_halfway_leaves_only_whole_lines(tmp_path: Path) -> None:
    script = f"""
import asyncio, resource, signal
from pathlib import Path
from heams.orchestration.store import RUNS, ResultWriter, StoreError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
counted = 0

def count():
    global counted
    counted += 1

async def scenario():
    async with ResultWriter(Path({str(tmp_path)!r})) as writer:
        try:
            while True:
                writer.submit(RUNS, b"x" * 99, count)
                await asyncio.sleep(0.03)
        except StoreError as error:
            print(counted, error)

asyncio.run(scenario())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    counted, _, message = done.stdout.partition(" ")
    assert "cannot write results" in message
    content = (tmp_path / RUNS).read_bytes()
    assert content.endswith(b"\n")
    assert content.count(b"\n") == int(counted) == 10


def test_an_error_is_raised_to_whoever_submits_next(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ResultWriter(tmp_path / "not_there") as writer:
            writer.submit(RUNS, b"{}")
            await asyncio.sleep(0.1)
            with pytest.raises(StoreError, match="not_there"):
                writer.submit(RUNS, b"{}")
            with pytest.raises(StoreError, match="not_there"):
                await writer.wait_for_room()

    asyncio.run(scenario())

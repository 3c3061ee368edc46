"""Nothing is left behind: not after a run, not after a fault, not when the run itself is cut off."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.external.errors import ExternalProgramError
from heams.memory.base import MemoryScope, RecallQuery
from heams.memory.command import CommandMemorySystem

_WITH_CHILD = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open(os.environ["PIDS"], "a") as file:
    file.write(f"{os.getpid()}\\n{child.pid}\\n")
greet()
request = until("recall")
HOW
read()
time.sleep(60)
"""


def _runs(pid: int) -> bool:
    """Whether a process lives; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _all_gone(pids: list[int]) -> bool:
    for _ in range(500):
        if not any(map(_runs, pids)):
            return True
        time.sleep(0.01)
    return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("how", ["ok(request, [])", "sys.exit(1)", "print('garbage', flush=True)"])
def test_the_whole_process_group_ends_with_the_system(program: Any, tmp_path: Path, how: str) -> None:
    pids = tmp_path / "pids"

    async def run() -> None:
        system = CommandMemorySystem(program(_WITH_CHILD.replace("HOW", how), env={"PIDS": str(pids)}))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            await asyncio.gather(memory.recall(RecallQuery(text="?")), return_exceptions=True)
        finally:
            await system.close()

    asyncio.run(run())
    started = list(map(int, pids.read_text().split()))
    assert len(started) == 2
    assert _all_gone(started)


def test_a_well_behaved_program_may_finish_its_work_when_its_stdin_ends(program: Any, tmp_path: Path) -> None:
    async def run() -> None:
        system = CommandMemorySystem(
            program(f"greet()\nsys.stdin.read()\nopen({str(tmp_path / 'saved')!r}, 'w').close()")
        )
        await system.start()
        await system.close()

    asyncio.run(run())
    assert (tmp_path / "saved").exists()


def test_requests_under_way_are_lost_when_the_system_closes(program: Any) -> None:
    async def run() -> None:
        system = CommandMemorySystem(program("greet()\nuntil('recall')\nread()"))
        await system.start()
        memory = await system.open(MemoryScope(id="a"))
        recall = asyncio.create_task(memory.recall(RecallQuery(text="?")))
        await asyncio.sleep(0.01)
        await system.close()
        with pytest.raises(ExternalProgramError, match="heams has ended the program"):
            await recall

    asyncio.run(run())


def test_closing_twice_and_closing_unstarted_is_harmless(program: Any) -> None:
    async def run() -> None:
        system = CommandMemorySystem(program("greet()\nread()"))
        await system.close()
        await system.start()
        await system.close()
        await system.close()

    asyncio.run(run())


_HARNESS = """
import asyncio, os, signal, sys
from heams.memory.base import MemoryScope, RecallQuery
from heams.memory.command import CommandMemoryConfig, CommandMemorySystem

async def main(close):
    system = CommandMemorySystem(CommandMemoryConfig(command=sys.argv[2:], env={"PIDS": os.environ["PIDS"]}))
    await system.start()
    try:
        memory = await system.open(MemoryScope(id="a"))
        print("ready", flush=True)
        await memory.recall(RecallQuery(text="?"))
    finally:
        if close:
            await system.close()

asyncio.run(main(sys.argv[1] == "close"))
"""


def _cut_off(program: Any, tmp_path: Path, close: str, body: str, end: Callable[[subprocess.Popen[str]], None]) -> bool:
    """Run a harness until its program works on a request, end the harness, and say whether all processes are gone."""
    pids = tmp_path / "pids"
    config = program(body)
    with subprocess.Popen(
        [sys.executable, "-c", _HARNESS, close, *config.command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PIDS": str(pids)},
    ) as harness:
        assert harness.stdout is not None
        assert harness.stdout.readline() == "ready\n"
        end(harness)
        harness.wait(10)
    return _all_gone(list(map(int, pids.read_text().split())))


@needs_proc
@pytest.mark.parametrize("close", ["close", "forget to close"])
def test_an_interrupted_run_leaves_no_process(program: Any, tmp_path: Path, close: str) -> None:
    assert _cut_off(
        program, tmp_path, close, _WITH_CHILD.replace("HOW", ""), lambda run: run.send_signal(signal.SIGINT)
    )


@needs_proc
def test_a_program_notices_that_a_killed_run_is_gone(program: Any, tmp_path: Path) -> None:
    body = 'open(os.environ["PIDS"], "w").write(str(os.getpid()))\ngreet()\nuntil("recall")\nread()'
    assert _cut_off(program, tmp_path, "close", body, lambda run: run.kill())

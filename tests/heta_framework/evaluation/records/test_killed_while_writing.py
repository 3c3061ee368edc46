"""A process that writes cases is killed at any moment: what it called durable is there, and nothing else is torn."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import anyio

from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation.records import CaseLog

_WRITER = """
import anyio, itertools, os, sys
from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation.records.case_log import CaseLog
from heta_framework.evaluation.types import EvaluationCaseResult, EvaluationScore
from heta_framework.kb.search.types import QueryResponse, QueryResult

def result(number):
    hits = tuple(QueryResult(f"k{n}", f"text {n} " * 99, 0.5, source={"n": n}) for n in range(number, number + 5))
    return EvaluationCaseResult(f"c{number}", "q", "m", (EvaluationScore("s", 1.0),), QueryResponse("m", hits))

async def main():
    async with await CaseLog.open(LocalObjectStore(sys.argv[1]), "r", modes=("m",)) as log:
        for number in itertools.count(len(log.done)):
            await log.wait_for_room()
            log.submit(result(number), number, "u", lambda number=number: os.write(1, b"%d\\n" % number))
            await anyio.sleep(0)

anyio.run(main)
"""


def test_kill_9_at_random_moments_loses_nothing_that_was_durable(tmp_path: Path) -> None:
    pauses = random.Random(7)
    durable = 0
    for _ in range(2):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(pauses.uniform(0, 0.05))
        writer.send_signal(signal.SIGKILL)
        said = writer.stdout.read().split()
        writer.wait()
        writer.stdout.close()
        durable = max([durable, *map(int, said[:-1])])  # the last number may be torn itself
        anyio.run(_check, LocalObjectStore(tmp_path), durable)


async def _check(objects: LocalObjectStore, durable: int) -> None:
    async with await CaseLog.open(objects, "r", modes=("m",)) as log:
        saved = await log.saved()
        assert saved.keys() == [(f"c{number}", "m") for number in range(len(saved))]
        assert len(saved) > durable
        assert all(len(one.response.results) == 5 for one in saved[-20:] if one.response)

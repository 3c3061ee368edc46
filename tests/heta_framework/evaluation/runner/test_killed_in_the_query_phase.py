"""``kill -9`` at random moments of the query phase: what is taken up equals what was never disturbed."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tiny_benchmarks import Bench

PROGRAM = Path(__file__).parents[3] / "servers" / "dying_evaluations.py"
KILLED = -9
QUERIES = 80


class Nursery:
    """The program that forks a process for each run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._errors = (root / "errors.txt").open("w+")
        self._program = subprocess.Popen(
            [sys.executable, str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def run(self, folder: str, lives: float | None = None) -> int:
        """Run the evaluation in a folder, for so many seconds of its query phase; how the process ended."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps([(str(self.root / folder), lives)]) + "\n")
        self._program.stdin.flush()
        end: int = json.loads(self._program.stdout.readline() or "[1]")[0]
        assert end != 1, (self.root / "errors.txt").read_text()
        return end

    def told(self, folder: str) -> dict[str, Any]:
        """What the report of the run holds."""
        report: dict[str, Any] = json.loads((self.root / folder / "told.json").read_text())
        return report

    def asked(self, folder: str) -> list[str]:
        """Every query that any process asked there."""
        return (self.root / folder / "asked.txt").read_text().splitlines()

    def close(self) -> None:
        """End the program."""
        self._program.communicate()
        self._errors.close()


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    made = Nursery(tmp_path_factory.mktemp("nursery"))
    assert made.run("undisturbed") == 0
    yield made
    made.close()


def kill_and_take_up(nursery: Nursery, folder: str, lives: float) -> None:
    end = nursery.run(folder, lives)
    assert end in (KILLED, 0)  # a fast machine may be done before
    asked, kept = len(nursery.asked(folder)), kept_lines(nursery.root / folder)
    assert nursery.run(folder) == 0
    assert len(nursery.asked(folder)) - asked == QUERIES - kept
    assert nursery.told(folder) == nursery.told("undisturbed")
    keys = [(line["case_id"], line["query_mode"]) for line in Bench(nursery.root / folder).lines()]
    assert len(keys) == len(set(keys)) == QUERIES


def kept_lines(root: Path) -> int:
    """How many whole lines a killed run has left."""
    file = Bench(root).file("cases.jsonl")
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.mark.parametrize("moment", range(3))
def test_a_run_that_is_killed_while_it_asks_is_taken_up_where_it_was(nursery: Nursery, moment: int) -> None:
    kill_and_take_up(nursery, f"killed{moment}", random.Random(moment).uniform(0.0, 0.15))


@pytest.mark.long
def test_ten_more_moments(nursery: Nursery) -> None:
    for moment in range(10):
        kill_and_take_up(nursery, f"killed again{moment}", random.Random(100 + moment).uniform(0.0, 0.2))

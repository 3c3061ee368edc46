"""``kill -9`` at any moment of a build or an update: what is taken up equals what was never disturbed."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parents[2] / "servers" / "dying_builds.py"
KILLED = -9


FEW, MANY = 12, 250
"""Chunks of each of five documents: the step cache keeps packs of 1000."""

Part = tuple[str, str, int | None, int]


class Nursery:
    """The program that forks a process for each part."""

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

    def play(self, *parts: Part) -> list[int]:
        """Play the parts one after another; how each ended."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        plan = [(str(self.root / folder), *part) for folder, *part in parts]
        self._program.stdin.write(json.dumps(plan) + "\n")
        self._program.stdin.flush()
        ends: list[int] = json.loads(self._program.stdout.readline() or "[1]")
        assert 1 not in ends, (self.root / "errors.txt").read_text()
        return ends

    def told(self, folder: str, part: str) -> dict[str, Any]:
        """What a part reported at its end."""
        report: dict[str, Any] = json.loads((self.root / folder / f"{part}.json").read_text())
        return report

    def embedded(self, folder: str) -> list[str]:
        """Every text that was embedded there, in whichever process."""
        return (self.root / folder / "embedded.txt").read_text().splitlines()

    def close(self) -> None:
        """End the program."""
        self._program.communicate()
        self._errors.close()


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """With ``undisturbed``: a build and an update that nothing disturbed."""
    nursery = Nursery(tmp_path_factory.mktemp("nursery"))
    assert nursery.play(("undisturbed", "build", None, FEW), ("undisturbed", "update", None, FEW)) == [0, 0]
    yield nursery
    nursery.close()


def test_a_killed_build_is_taken_up_and_equals_an_undisturbed_one(nursery: Nursery) -> None:
    whole = nursery.told("undisturbed", "build")
    moments = random.Random(7).sample(range(4, 2 * len(whole["things"]) - 1), 6)  # up to the manifest
    for moment in moments:
        folder = f"build {moment}"
        assert nursery.play((folder, "build", moment, FEW), (folder, "build", None, FEW)) == [KILLED, 0]
        assert nursery.told(folder, "build")["contents"] == whole["contents"], moment


def test_a_build_killed_again_and_again_comes_to_its_end(nursery: Nursery) -> None:
    ends = nursery.play(*[("again", "build", moment, FEW) for moment in (11, 16, 23, 30, None)])
    assert ends[-1] == 0
    assert ends.count(KILLED) >= 3
    assert nursery.told("again", "build")["contents"] == nursery.told("undisturbed", "build")["contents"]


def test_what_was_embedded_before_the_kill_is_not_embedded_again(nursery: Nursery) -> None:
    nursery.play(("large", "embed", None, MANY))
    whole = nursery.told("large", "embed")
    last_batch = max(number for number, thing in enumerate(whole["things"], 1) if thing == "embed")
    ends = nursery.play(("cut short", "embed", 2 * last_batch, MANY), ("cut short", "embed", None, MANY))
    assert ends == [KILLED, 0]
    assert nursery.told("cut short", "embed")["contents"] == whole["contents"]
    texts, once = nursery.embedded("cut short"), nursery.embedded("large")
    assert set(texts) == set(once)
    assert len(texts) - len(once) <= 5 * MANY - 1000  # the pack of the first 1000 was kept


def test_a_killed_update_is_finished_by_load_and_equals_an_undisturbed_one(nursery: Nursery) -> None:
    whole = nursery.told("undisturbed", "update")
    moments = random.Random(11).sample(range(8, 2 * len(whole["things"]) - 2), 4)
    for moment in moments:
        folder = f"update {moment}"
        ends = nursery.play((folder, "build", None, FEW), (folder, "update", moment, FEW), (folder, "load", None, FEW))
        assert ends == [0, KILLED, 0]
        assert nursery.told(folder, "load")["contents"] == whole["contents"], moment

"""A run killed at random moments: nothing counted is lost, nothing is there twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

VOLATILE = {"run_id", "attempt", "started_at", "finished_at", "timings", "seconds"}


def _command(run_file: Path, output: Path) -> list[str]:
    main = "from heams.cli.main import main; main()"
    arguments = ["run", "--config", str(run_file), "--output-dir", str(output), "--plain", "--max-concurrency", "8"]
    return [sys.executable, "-c", main, *arguments]


def _lines(output: Path) -> list[dict[str, Any]]:
    file = output / "one/runs.jsonl"
    whole = file.read_bytes().rpartition(b"\n")[0] if file.is_file() else b""
    return [json.loads(line) for line in whole.splitlines()]


def _written(output: Path) -> int:
    file = output / "one/runs.jsonl"
    return file.read_bytes().count(b"\n") if file.is_file() else 0


def _counted(output: Path) -> int:
    try:
        return int(json.loads((output / "one/run_status.json").read_text(encoding="utf-8"))["finished"])
    except FileNotFoundError:
        return 0


def _stable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stable(item) for key, item in value.items() if key not in VOLATILE}
    return [_stable(item) for item in value] if isinstance(value, list) else value


def _key(line: dict[str, Any]) -> tuple[str, str, int, int]:
    return line["run_id"], line["sample_id"], line["repeat"], line["attempt"]


def _until_killed(command: list[str], output: Path, dice: random.Random, already: int) -> bool:
    """Start the run and kill it after a random number of new lines, or a random time; False if it ended before."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    goal, deadline = already + dice.randrange(0, 12), time.monotonic() + 20
    while process.poll() is None and _written(output) < goal and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(dice.random() * 0.03)
    ended = process.poll() is not None
    if not ended:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return not ended


@pytest.mark.parametrize(("rounds", "count"), [(3, 150), pytest.param(30, 700, marks=pytest.mark.long)])
def test_nothing_counted_is_lost_and_nothing_is_there_twice(
    rounds: int,
    count: int,
    questions: Callable[..., Path],
    one_experiment: Callable[..., dict[str, Any]],
    tmp_path: Path,
) -> None:
    config = one_experiment(
        questions(count, history=50),
        agent={"type": "scripted", "default": "kettle 0", "recall": True, "latency_s": 0.03},
        memory={"type": "lexical"},
    )
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(config), encoding="utf-8")
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    dice = random.Random(20)
    kills, counted = 0, 0
    for _ in range(rounds):
        before = {_key(line): line for line in _lines(disturbed)}
        kills += _until_killed(_command(run_file, disturbed), disturbed, dice, len(before))
        after = {_key(line): line for line in _lines(disturbed)}
        assert before.items() <= after.items(), "a line that was there is gone or changed"
        counted = max(counted, _counted(disturbed))
        assert len(after) >= counted, "a result that was counted is gone"
    if kills < rounds:
        pytest.fail(f"only {kills} of {rounds} kills hit a running process: make the run longer")

    for output in (disturbed, undisturbed):
        done = subprocess.run(_command(run_file, output), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    lines = _lines(disturbed)
    keys = [_key(line) for line in lines]
    assert len(set(keys)) == len(keys)
    assert len({line["sample_id"] for line in lines}) == count
    by_sample = [
        sorted((_stable(line) for line in _lines(output)), key=lambda line: line["sample_id"])
        for output in (disturbed, undisturbed)
    ]
    assert by_sample[0] == by_sample[1]

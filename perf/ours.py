"""Measures ourselves: each measurement in a fresh process."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from perf.places import ROOT, environment
from perf.questions import EXPERIMENT, questions_in_file, run_config


class Measured(NamedTuple):
    """Seconds of wall and CPU time for a run, and the peak memory of its process in MiB."""

    wall: float
    cpu: float
    peak_mb: float


def play(samples: int, *, latency: float = 0.0, concurrency: int = 16) -> Measured:
    """Play ``samples`` questions and check that every result is there."""
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        config = run_config(questions_in_file(folder / "questions.jsonl", samples), latency)
        measured = run_child(config, folder, "--concurrency", str(concurrency))
        with runs_file(folder).open("rb") as lines:
            durable = sum(b'"status":"completed"' in line for line in lines)
        if durable != samples:
            sys.exit(f"only {durable} of {samples} samples were completed")
    return measured


def run_child(config: Mapping[str, Any], folder: Path, *options: str, paths: tuple[Path, ...] = ()) -> Measured:
    """What ``perf.child`` measured; its results are in ``folder/results``. ``paths`` are added to its import path."""
    command = [sys.executable, "-m", "perf.child", "--config", json.dumps(config), "--folder", str(folder), *options]
    env = environment(*paths)
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return Measured(**json.loads(done.stdout))


def runs_file(folder: Path) -> Path:
    """Where a child's results are."""
    return folder / "results" / EXPERIMENT / "runs.jsonl"


def middle(measure: Callable[[], float], times: int) -> float:
    """The median of ``times`` measurements."""
    return median(measure() for _ in range(times))

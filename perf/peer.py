"""The peer: inspect_ai in a virtual environment of its own, measured in the same run as we are.

It is installed once into the user's cache folder (or `HEAMS_PERF_CACHE`). Where it cannot be installed, that is said
and our figures stand alone.
"""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perf.ours import Measured
from perf.places import ROOT, cache_folder, environment

PACKAGE = "inspect_ai"
VERSION = "0.3.285"


class Peer:
    """An installed peer. Measurements are made once per set of arguments, because they take long."""

    name = f"{PACKAGE} {VERSION}"

    def __init__(self, venv: Path) -> None:
        self.bin = venv / "bin"
        self.play = cache(self._play)

    def _play(self, samples: int, *, latency: float = 0.0, concurrency: int = 16) -> Measured:
        with TemporaryDirectory(prefix="heams-perf-peer-") as folder:
            options = ["--latency", str(latency), "--concurrency", str(concurrency)]
            return Measured(**self.run_child("play", samples, Path(folder), *options))

    def run_child(self, action: str, samples: int, folder: Path, *options: str) -> dict[str, Any]:
        """What ``perf.peer_child`` prints."""
        command = [str(self.bin / "python"), "-m", "perf.peer_child", action]
        sizes = ["--samples", str(samples), "--folder", str(folder)]
        done = subprocess.run(
            [*command, *sizes, *options], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True
        )
        said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return said


def install_peer() -> Peer | None:
    """The peer, installed where it is not yet; None where that does not work."""
    venv = cache_folder() / f"{PACKAGE}-{VERSION}"
    try:
        if not _works(venv):
            shutil.rmtree(venv, ignore_errors=True)
            _run("uv", "venv", "--quiet", str(venv))
            _run("uv", "pip", "install", "--quiet", "--python", str(venv / "bin/python"), f"{PACKAGE}=={VERSION}")
    except (OSError, subprocess.CalledProcessError) as cause:
        reason = cause.stderr.strip().splitlines()[-1:] if isinstance(cause, subprocess.CalledProcessError) else cause
        print(f"{PACKAGE} {VERSION} cannot be installed ({reason}): our figures stand alone", flush=True)
        return None
    return Peer(venv)


def _works(venv: Path) -> bool:
    python = venv / "bin/python"
    return (
        python.exists()
        and subprocess.run([python, "-c", f"import {PACKAGE}"], env=environment(), check=False).returncode == 0
    )


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)

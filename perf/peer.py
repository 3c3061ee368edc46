"""The peer: inspect_ai in a virtual environment of its own, measured in the same run as we are.

It is installed once into the user's cache folder (or `HEAMS_PERF_CACHE`). Where it cannot be installed, that is said
and our figures stand alone.
"""

import json
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perf.ours import Measured
from perf.places import ROOT, environment
from perf.virtual_environment import installed

PACKAGE = "inspect_ai"
VERSION = "0.3.285"


class Peer:
    """An installed peer. Measurements are made once per set of arguments, because they take long."""

    name = f"{PACKAGE} {VERSION}"

    def __init__(self, folder: Path) -> None:
        self.bin = folder
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
    found = installed(f"{PACKAGE}-{VERSION}", f"{PACKAGE}=={VERSION}", imports=PACKAGE)
    return Peer(found) if found else None

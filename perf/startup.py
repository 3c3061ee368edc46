"""How long it takes to start: wall time of whole processes, median of several. `python -m perf.startup`"""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from perf.bars import Beside, Figure
from perf.ours import middle
from perf.places import environment
from perf.script import Session, run_scripts


def measure(session: Session) -> Iterator[Figure]:
    """`heams --help` beside `inspect --version`, and the two imports beside each other."""
    starts, peer = session.scale.starts, session.peer
    command = _milliseconds(starts, Path(sys.executable).with_name("heams"), "--help")
    imported = _import_milliseconds(starts, sys.executable, "heams")
    loaded = _import_milliseconds(starts, sys.executable, "heams.api")
    detail = f"its parts load when they are used: {loaded:.0f} ms until a run can begin"
    if peer is None:
        yield Figure("help", command)
        yield Figure("import", imported, detail=detail)
        return
    peers_command = _milliseconds(starts, peer.bin / "inspect", "--version")
    yield Figure("help", command, Beside(f"{peer.name} (inspect --version)", peers_command))
    peers_import = _import_milliseconds(starts, peer.bin / "python", "inspect_ai")
    yield Figure("import", imported, Beside(peer.name, peers_import), detail)


def _import_milliseconds(times: int, python: Path | str, package: str) -> float:
    return _milliseconds(times, python, "-c", f"import {package}")


def _milliseconds(times: int, *command: Path | str) -> float:
    def once() -> float:
        began = time.perf_counter()
        subprocess.run(command, env=environment(), check=True, stdout=subprocess.DEVNULL)
        return (time.perf_counter() - began) * 1_000

    once()  # fills the caches
    return middle(once, times)


if __name__ == "__main__":
    run_scripts(measure)

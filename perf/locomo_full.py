"""Wall time of the whole of LoCoMo: `heams run` with `configs/runs/locomo_full.yaml`, start of the process included.

Needs the data in `HEAMS_DATA_DIR`; without it the run over the data set that comes with the project shows that the
script works. The ideal is the CPU time that the run needs, spread over all cores. `python -m perf.locomo_full`
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from perf.bars import Beside, Figure
from perf.places import ROOT, environment
from perf.script import Session, run_scripts


def measure(session: Session) -> Iterator[Figure]:
    """One figure; none without the data, unless tiny sizes were asked for."""
    limit = session.scale.locomo_limit
    if limit is not None:
        yield _play("quickstart", "--limit", str(limit))
    elif os.environ.get("HEAMS_DATA_DIR"):
        yield _play("locomo_full")
    else:
        print("locomo_full: HEAMS_DATA_DIR is not set, so there is nothing to measure", flush=True)


def _play(run: str, *options: str) -> Figure:
    with TemporaryDirectory(prefix="heams-perf-") as place:
        heams = str(Path(sys.executable).with_name("heams"))
        command = [heams, "run", "--config", f"configs/runs/{run}.yaml", "--output-dir", place, "--plain", *options]
        cpu, wall = _children_cpu(), time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, env=environment(), check=False, capture_output=True, text=True)
        wall, cpu = time.perf_counter() - wall, _children_cpu() - cpu
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return Figure("locomo_full", wall, Beside("the ideal", cpu / (os.cpu_count() or 1)), f"{run}, {cpu:.3g} s of CPU")


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    run_scripts(measure)

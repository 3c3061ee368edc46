"""What a run of many cases leaves behind, beside the published heta-framework. `python -m perf.evaluation_reports`

Both run the same script (`perf.evaluation_reports_child`), whose engine hands out ten chunks of a kilobyte a question
from a pool of 20,000. The peer runs fewer cases; its files and its memory grow with their number and are scaled up.
Ours is ended at once when all but ten cases are durable, and run again.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from perf.bars import Beside, Figure
from perf.places import ROOT
from perf.published import NAME, run_program
from perf.script import Session, run_scripts

CHILD = ROOT / "perf/evaluation_reports_child.py"
_NEW = 10
_MEGABYTE = 1e6


class Run(NamedTuple):
    """What the child measured; see there."""

    run_s: float
    run_cpu_s: float
    run_peak_mb: float
    first_asked_at: float
    peak_mb: float
    bytes: int


def measure(session: Session) -> Iterator[Figure]:
    """Files and memory of a whole run, and how soon a stopped one goes on."""
    cases, cases_of_peer = session.scale.report_cases, session.scale.report_cases_of_peer
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        theirs = _run(NAME, session.published, folder / "theirs", cases_of_peer) if session.published else None
        ours = _run("ours", sys.executable, folder / "ours", cases)
        if theirs is not None:
            size = theirs.bytes * cases / cases_of_peer
            detail = (
                f"{ours.bytes / _MEGABYTE:.0f} MB against {size / _MEGABYTE:,.0f} MB, scaled from {cases_of_peer:,}"
            )
            yield Figure("report_files", 100 * ours.bytes / size, detail=detail)
        yield Figure("report_memory", ours.peak_mb, _memory_of_peer(theirs, cases / cases_of_peer))
        yield Figure("report_resume", _resumed(folder / "resumed", cases), detail=f"{cases:,} finished")


def _memory_of_peer(theirs: Run | None, times: float) -> Beside | None:
    return None if theirs is None else Beside(f"{NAME} (scaled)", theirs.peak_mb * times)


def _resumed(folder: Path, cases: int) -> float:
    """Seconds from the start of the second process to its first question."""
    size = ["--folder", folder, "--cases", cases + _NEW]
    run_program(sys.executable, CHILD, *size, "--stop-after", cases)
    began = time.time()
    again = Run(**run_program(sys.executable, CHILD, *size))
    return again.first_asked_at - began


def _run(side: str, python: Path | str, folder: Path, cases: int) -> Run:
    measured: dict[str, Any] = run_program(python, CHILD, "--folder", folder, "--cases", cases)
    run = Run(**measured)
    print(
        f"{side}: {cases:,} cases in {run.run_s:.1f} s ({run.run_cpu_s:.1f} s CPU), files of "
        f"{run.bytes / _MEGABYTE:.1f} MB, peak {run.run_peak_mb:.0f} MB, {run.peak_mb:.0f} MB after reading all again",
        flush=True,
    )
    return run


if __name__ == "__main__":
    run_scripts(measure)

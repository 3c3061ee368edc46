"""A benchmark run with 25 retrieval metrics, beside the published heta-framework. `python -m perf.benchmark_runner`

Both run the same script (`perf.benchmark_runner_child`) on Cranfield, `vector_search`, the 100 best, with the same
embedding model; ours before and after the peer, each in a process of its own. Cranfield must be in HEAMS_DATA_DIR.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from perf.bars import Figure
from perf.cranfield import cranfield_at_hand
from perf.places import ROOT
from perf.published import NAME, run_program
from perf.script import Session, run_scripts

CHILD = ROOT / "perf/benchmark_runner_child.py"
_MEBIBYTE = 2**20


class Run(NamedTuple):
    """What the child measured; see there."""

    run_s: float
    run_cpu_s: float
    embedding_s: float
    peak_mb: float
    peak_mb_before: float
    report_bytes: int
    cases: int
    means: dict[str, float]


def measure(session: Session) -> Iterator[Figure]:
    """Seconds, memory and bytes of a run, as shares of the peer's."""
    cranfield = cranfield_at_hand()
    if cranfield is None:
        return
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        data = cranfield.write_part(folder / "data", session.scale.kb_documents, session.scale.kb_questions)
        ours = [_run("ours", sys.executable, data, folder / "before")]
        if session.published is None:
            return
        theirs = _run(NAME, session.published, data, folder / "theirs")
        ours.append(_run("ours", sys.executable, data, folder / "after"))
        yield from _compared(ours, theirs)


def _compared(ours: list[Run], theirs: Run) -> Iterator[Figure]:
    seconds = mean(run.run_s for run in ours)
    yield _share("benchmark_run", seconds, theirs.run_s, f"{theirs.run_s / seconds:.1f} times as fast")
    peak = max(run.peak_mb for run in ours)
    yield _share("benchmark_run_memory", peak, theirs.peak_mb, f"{peak:.0f} MB against {theirs.peak_mb:.0f} MB")
    size = max(run.report_bytes for run in ours)
    detail = f"{size / _MEBIBYTE:.1f} MB against {theirs.report_bytes / _MEBIBYTE:.1f} MB"
    yield _share("benchmark_run_report", size, theirs.report_bytes, detail)


def _share(bar: str, ours: float, theirs: float, detail: str) -> Figure:
    return Figure(bar, 100 * ours / theirs, detail=detail)


def _run(side: str, python: Path | str, data: Path, folder: Path) -> Run:
    measured: dict[str, Any] = run_program(python, CHILD, "--data", data, "--folder", folder)
    run = Run(**measured)
    times = f"{run.run_s:.2f} s ({run.run_cpu_s:.2f} s CPU; {run.embedding_s:.2f} s in the embedding model)"
    memory = f"peak {run.peak_mb:.0f} MB ({run.peak_mb_before:.0f} MB before the run)"
    written = f"report {run.report_bytes / _MEBIBYTE:.1f} MB"
    ndcg = f"nDCG@10 {run.means['vector_search.beir_ndcg@10']:.4f}"
    print(f"{side}: {run.cases} cases in {times}, {memory}, {written}, {ndcg}", flush=True)
    return run


if __name__ == "__main__":
    run_scripts(measure)

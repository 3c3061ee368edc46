"""A million vectors on disk: how many of the ten nearest are found, how fast, in how much memory.

`python -m perf.vector_store`; the extra `ann` must be installed for the bars, Cranfield must be in HEAMS_DATA_DIR.
Building a million takes some minutes.
"""

import json
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

from perf.bars import Figure
from perf.cranfield import cranfield_at_hand
from perf.published import run_program
from perf.script import Session, run_scripts


def measure(session: Session) -> Iterator[Figure]:
    """Recall, median time of a search, and peak memory of the process that stored and asked."""
    if cranfield_at_hand() is None:
        return
    measured = _fill(session.scale.vectors, session.scale.kb_questions)
    how = f"{measured['count']:,} vectors, {'graph' if measured['graph'] else 'exact: the extra ann is missing'}"
    detail = f"{how}, built in {measured['build_s']:.0f} s"
    for kind in ("questions", "held_out_texts"):
        told = kind.replace("_", " ")
        yield Figure("vectors_missed", 100 * (1 - measured[kind]["recall"]), detail=f"{told}, {detail}")
        cold = f"{measured[kind]['p50_ms_of_the_first_pass']:.1f} ms when asked for the first time"
        yield Figure("vectors_query", measured[kind]["p50_ms"], detail=f"{told}, {how}; {cold}")
    yield Figure("vectors_memory", measured["peak_mb"], detail=how)


def _fill(count: int, questions: int) -> dict[str, Any]:
    with TemporaryDirectory(prefix="heams-perf-") as folder:
        command = [sys.executable, "-m", "perf.vector_store_child", "--folder", folder]
        measured: dict[str, Any] = run_program(*command, "--count", str(count), "--questions", str(questions))
    print(json.dumps(measured), flush=True)
    return measured


if __name__ == "__main__":
    run_scripts(measure)

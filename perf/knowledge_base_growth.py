"""A knowledge base of 10,000 and of 50,000 documents: queries, memory, build. `python -m perf.knowledge_base_growth`

The documents are copies of Cranfield's with words exchanged; Cranfield must be in HEAMS_DATA_DIR. Each is built and
asked in a process of its own, with both indexes in memory; the smaller one before and after the larger one, so that a
machine that grew slower meanwhile does not count as growth.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from perf.bars import Beside, Figure
from perf.cranfield import Cranfield, cranfield_at_hand
from perf.published import run_program
from perf.script import Session, run_scripts

_QUESTIONS = 100
_IN_A_FOLDER = 1_000


def measure(session: Session) -> Iterator[Figure]:
    """The larger knowledge base, beside the smaller one."""
    cranfield = cranfield_at_hand()
    if cranfield is None:
        return
    few, many = session.scale.kb_large
    small, large, again = (_build(cranfield, size) for size in (few, many, few))
    size = f"{many:,} documents"
    for mode, milliseconds in large["query_ms"].items():
        less = Beside(f"that of {few:,}", small["query_ms"][mode])
        yield Figure("kb_large_query", milliseconds, less, f"{mode}, {size}")
    yield Figure("kb_large_memory", large["peak_mb"], Beside("the smaller one", small["peak_mb"]), size)
    wall, cpu = (mean((small[name], again[name])) for name in ("build_s", "build_cpu_s"))
    detail = f"{large['build_s']:.1f} s over {wall:.1f} s; {large['build_cpu_s'] / cpu:.1f} x the CPU time"
    yield Figure("kb_large_growth", large["build_s"] / wall, detail=detail)


def _build(cranfield: Cranfield, size: int) -> dict[str, Any]:
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        _write(cranfield, size, folder / "objects")
        (folder / "questions.json").write_text(json.dumps(cranfield.questions[:_QUESTIONS]), encoding="utf-8")
        measured: dict[str, Any] = run_program(
            sys.executable, "-m", "perf.knowledge_base_growth_child", "--folder", folder
        )
    print(f"{size:,} documents: {json.dumps(measured)}", flush=True)
    return measured


def _write(cranfield: Cranfield, size: int, objects: Path) -> None:
    for number, text in enumerate(cranfield.copies(size)):
        path = objects / f"raw/{number // _IN_A_FOLDER:03}/{number:06}.txt"
        if number % _IN_A_FOLDER == 0:
            path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run_scripts(measure)

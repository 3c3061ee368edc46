"""Building and asking a knowledge base, beside the published heta-framework. `python -m perf.knowledge_base`

Both run the same script (`perf.knowledge_base_child`) on the same documents with the same embedding model, one right
after the other, each in a process of its own. Cranfield must be in HEAMS_DATA_DIR.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from perf.bars import Figure
from perf.cranfield import Cranfield, cranfield_at_hand
from perf.places import ROOT
from perf.published import NAME, run_program
from perf.script import Session, run_scripts

CHILD = ROOT / "perf/knowledge_base_child.py"
_REPETITIONS = 3


class Built(NamedTuple):
    """What the child measured; see there."""

    build_s: float
    build_cpu_s: float
    embedding_s: float
    query_ms: float
    files: int
    bytes: int
    chunks: int


def measure(session: Session) -> Iterator[Figure]:
    """Each mode on both sides; then a second recipe over the first one's results."""
    cranfield = cranfield_at_hand()
    if cranfield is None:
        return
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        corpus = _corpus(cranfield, folder, session.scale.kb_documents, session.scale.kb_questions)
        for mode in ("vector_search", "full_text_search"):
            ours = _build(sys.executable, mode, corpus, folder / "ours" / mode)
            print(f"{mode}: {_told(ours)}", flush=True)
            if session.published:
                theirs = _build(session.published, mode, corpus, folder / "theirs" / mode)
                print(f"{mode}, {NAME}: {_told(theirs)}", flush=True)
                yield from _compared(mode, ours, theirs)
        yield _second_recipe(corpus, folder / "shared")


def _compared(mode: str, ours: Built, theirs: Built) -> Iterator[Figure]:
    vector = mode == "vector_search"
    yield _share("kb_vector_build" if vector else "kb_text_build", ours.build_s, theirs.build_s)
    if vector:
        own = ours.build_s - ours.embedding_s
        yield _share("kb_vector_build_own", own, theirs.build_s - theirs.embedding_s)
    yield _share("kb_vector_query" if vector else "kb_text_query", ours.query_ms, theirs.query_ms)
    detail = f"{mode}: {ours.files} of {ours.bytes / 1e6:.1f} MB against {theirs.files} of {theirs.bytes / 1e6:.1f} MB"
    yield Figure("kb_files", 100 * ours.files / theirs.files, detail=detail)


def _share(bar: str, ours: float, theirs: float) -> Figure:
    return Figure(bar, 100 * ours / theirs, detail=f"{theirs / ours:.1f} times as fast")


def _second_recipe(corpus: Path, folder: Path) -> Figure:
    command = [sys.executable, "-m", "perf.second_recipe_child", "--corpus", corpus, "--folder"]
    pairs: list[dict[str, float]] = [run_program(*command, folder / str(number)) for number in range(_REPETITIONS)]
    first, second = (min(pair[name] for pair in pairs) for name in ("first", "second"))
    return Figure("kb_second_recipe", 100 * second / first, detail=f"{second:.3f} s after {first:.3f} s")


def _corpus(cranfield: Cranfield, folder: Path, documents: int, questions: int) -> Path:
    texts = [text for text in cranfield.documents if text]
    path = folder / "corpus.json"
    path.write_text(json.dumps({"texts": texts[:documents], "questions": cranfield.questions[:questions]}))
    return path


def _build(python: Path | str, mode: str, corpus: Path, folder: Path) -> Built:
    measured: dict[str, Any] = run_program(python, CHILD, mode, "--folder", folder, "--corpus", corpus)
    return Built(**measured)


def _told(built: Built) -> str:
    return (
        f"{built.chunks:,} chunks built in {built.build_s:.2f} s ({built.embedding_s:.2f} s in the embedding model; "
        f"{built.build_cpu_s:.2f} s CPU in all), "
        f"{built.query_ms:.2f} ms a query, {built.files:,} derived files of {built.bytes / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    run_scripts(measure)

"""A vector store on disk, filled and asked in a process of its own: prints one line of JSON about it.

Ground truth is computed beside, by numpy over all vectors as they come. The questions are Cranfield's own and as many
texts that were not stored. `build_s` is the time inside of `upsert` and `aclose`, the graph included.
"""

import argparse
import asyncio
import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding
from heta_framework.common.stores.vector import VectorCollectionConfig, VectorQuery, VectorRecord
from heta_framework.common.stores.vector.disk import DiskVectorStore
from heta_framework.common.stores.vector.on_disk.neighbours import graphs_are_available
from perf.cranfield import Cranfield, cranfield_at_hand
from perf.peak_memory import peak_mb

BATCH = 5_000
BEST = 10
NAME = "texts"

Vectors = npt.NDArray[np.float32]


class Truth:
    """The best rows for each question, kept up while vectors come."""

    def __init__(self, questions: Vectors) -> None:
        self._questions = questions
        self._scores = np.empty((len(questions), 0), dtype=np.float32)
        self._rows = np.empty((len(questions), 0), dtype=np.intp)

    def add(self, first: int, vectors: Vectors) -> None:
        """Take the vectors of the rows from ``first`` on."""
        scores = np.hstack([self._scores, self._questions @ vectors.T])
        fresh = np.broadcast_to(np.arange(first, first + len(vectors)), (len(self._questions), len(vectors)))
        rows = np.hstack([self._rows, fresh])
        best = np.argsort(-scores, axis=1)[:, :BEST]
        self._scores = np.take_along_axis(scores, best, axis=1)
        self._rows = np.take_along_axis(rows, best, axis=1)

    def recall(self, found: list[list[str]]) -> float:
        """The share of the best that was found, over all questions."""
        hits = sum(len({_name(row) for row in rows} & set(ids)) for rows, ids in zip(self._rows, found, strict=True))
        return hits / self._rows.size


async def measure(cranfield: Cranfield, folder: Path, count: int, questions: int) -> dict[str, Any]:
    """Store ``count`` vectors below ``folder`` and ask."""
    model = WordLlamaEmbedding()
    # one of the documents is empty, and so are its copies: they have no vector
    texts = itertools.islice(filter(str.strip, cranfield.copies(2 * count)), count + questions)
    held_out = list(itertools.islice(texts, questions))
    asked = {
        "questions": model.embed_texts(cranfield.questions[:questions]),
        "held_out_texts": model.embed_texts(held_out),
    }
    truths = {kind: Truth(vectors) for kind, vectors in asked.items()}
    store = DiskVectorStore(folder, exact_below=min(50_000, count // 2))  # a graph in small runs as well
    await store.create_collection(VectorCollectionConfig(NAME, model.dimension))
    build = 0.0
    for first, batch in _batches(texts):
        vectors = model.embed_texts(batch)
        for truth in truths.values():
            truth.add(first, vectors)
        records = [VectorRecord(_name(first + row), vectors[row], text) for row, text in enumerate(batch)]
        began = time.perf_counter()
        await store.upsert(NAME, records)
        build += time.perf_counter() - began
    began = time.perf_counter()
    await store.aclose()
    build += time.perf_counter() - began
    began = time.perf_counter()
    await store.search(NAME, VectorQuery(asked["questions"][0]))
    opening = time.perf_counter() - began
    measured: dict[str, Any] = {"count": await store.count(NAME), "graph": graphs_are_available(), "build_s": build}
    measured |= {"first_query_after_opening_s": opening, "megabytes_on_disk": _megabytes(folder)}
    for kind, vectors in asked.items():
        found, first_time = await _answers(store, vectors)
        _, spent = await _answers(store, vectors)  # a store that is in use has touched its pages before
        measured[kind] = {
            "recall": truths[kind].recall(found),
            "p50_ms": median(spent) * 1_000,
            "p50_ms_of_the_first_pass": median(first_time) * 1_000,
        }
    await store.aclose()
    return measured | {"peak_mb": peak_mb()}


async def _answers(store: DiskVectorStore, questions: Vectors) -> tuple[list[list[str]], list[float]]:
    found, spent = [], []
    for vector in questions:
        began = time.perf_counter()
        hits = await store.search(NAME, VectorQuery(vector, top_k=BEST))
        spent.append(time.perf_counter() - began)
        found.append([hit.id for hit in hits])
    return found, spent


def _batches(texts: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    for first in itertools.count(0, BATCH):
        batch = list(itertools.islice(texts, BATCH))
        if not batch:
            return
        yield first, batch


def _name(row: int) -> str:
    return f"text_{row:07d}"


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--questions", type=int, required=True)
    options = parser.parse_args()
    cranfield = cranfield_at_hand()
    assert cranfield is not None
    print(json.dumps(asyncio.run(measure(cranfield, options.folder, options.count, options.questions))))


if __name__ == "__main__":
    main()

"""A graph of neighbours (HNSW) over the first rows of a collection: it proposes rows, exact arithmetic decides.

Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small World
graphs", arXiv 1603.09320; built by usearch. Unit vectors are held in the graph as bytes, others as bfloat16: enough to
walk by, since the rows it proposes are scored again from the file.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from heta_framework.common.stores.vector.checks import Rows
from heta_framework.common.stores.vector.on_disk.records import Space

_SLICE = 256  # rows added while searches wait
_TURN_S = 0.0005  # left to waiting searches between two slices
# Threads that add to a small graph leave nodes that no walk comes to: github.com/unum-cloud/USearch/issues/735
_ALONE_BELOW = 4_096  # rows added by one thread
_KINDS = {"cosine": ("ip", "i8"), "dot": ("ip", "bf16"), "l2": ("l2sq", "bf16")}

RowReader = Callable[[int, int], Rows]


@dataclass(frozen=True)
class GraphOptions:
    """How a graph is built and walked.

    Attributes:
        connectivity: neighbours a node (M in the paper); more find more, and take 8 bytes a row each.
        expansion_add: candidates looked at for a new node (efConstruction).
        expansion_search: candidates that a search looks at (ef).
        threads: that build, from some thousand rows on; 0 stands for all cores.
    """

    connectivity: int = 16
    expansion_add: int = 128
    expansion_search: int = 1_000
    threads: int = 0


def graphs_are_available() -> bool:
    """Whether the extra `ann` is installed."""
    return find_spec("usearch") is not None


class Neighbours:
    """The graph over rows [0, covered). Searches and additions of slices take turns: usearch's threads share state."""

    def __init__(self, space: Space, options: GraphOptions) -> None:
        """Start with an empty graph."""
        from usearch.index import Index

        metric, scalars = _KINDS[space.metric]
        self._index: Any = Index(
            ndim=space.dimension,
            metric=metric,
            dtype=scalars,
            connectivity=options.connectivity,
            expansion_add=options.expansion_add,
            expansion_search=options.expansion_search,
            enable_key_lookups=False,
        )
        self._options = options
        self._turn = threading.Lock()
        self.covered = 0

    def __len__(self) -> int:
        """How many of the covered rows it knows: those that were not dead when they were added."""
        return len(self._index)

    @classmethod
    def load(cls, path: Path, space: Space, options: GraphOptions, covered: int) -> Neighbours:
        """Read what `save` wrote.

        Raises:
            ValueError: usearch cannot read it, or it is a graph of other vectors.
        """
        graph = cls(space, options)
        wanted = (graph._index.ndim, graph._index.dtype, graph._index.metric_kind, graph._index.connectivity)
        try:
            graph._index.load(str(path))
        except (RuntimeError, ValueError) as error:
            raise ValueError(f"{path}: no graph that usearch can read ({error})") from error
        index = graph._index
        if (index.ndim, index.dtype, index.metric_kind, index.connectivity) != wanted or len(index) > covered:
            raise ValueError(f"{path}: a graph of other vectors or another make")
        index.expansion_add, index.expansion_search = options.expansion_add, options.expansion_search
        graph.covered = covered
        return graph

    def save(self, path: Path) -> None:
        """Write the graph to a file."""
        with self._turn:
            self._index.save(str(path))

    def propose(self, query: Rows, count: int) -> npt.NDArray[np.intp]:
        """The `count` rows that seem nearest, fewer when the graph has fewer."""
        with self._turn:
            matches = self._index.search(query, count, threads=1)
        rows: npt.NDArray[np.intp] = matches.keys.astype(np.intp)
        return rows

    def extend(self, read: RowReader, upto: int, dead: npt.NDArray[np.bool_] | None) -> float:
        """Add rows [covered, upto) slice by slice, without the dead ones; return the seconds that it took."""
        began = time.perf_counter()
        while self.covered < upto:
            numbers = np.arange(self.covered, min(self.covered + _SLICE, upto))
            rows = read(int(numbers[0]), len(numbers))
            if dead is not None:
                alive = ~dead[numbers]
                numbers, rows = numbers[alive], rows[alive]
            with self._turn:
                if len(numbers):
                    threads = 1 if self.covered < _ALONE_BELOW else self._options.threads
                    self._index.add(numbers.astype(np.uint64), rows, threads=threads)
                self.covered = min(self.covered + _SLICE, upto)
            time.sleep(_TURN_S)
        return time.perf_counter() - began

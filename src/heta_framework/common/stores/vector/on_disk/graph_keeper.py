"""When a collection's graph is loaded, extended, saved and made anew. Without it searches scan, and are right as well.

Work on the graph never holds up a search that could do without: the one call that finds it far behind does the work,
all others go on with what is there and scan the rest. Between processes a lock file decides who works and saves.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from heta_framework.common.stores.vector.on_disk.graph_file import GraphFile, Note
from heta_framework.common.stores.vector.on_disk.neighbours import GraphOptions, Neighbours, graphs_are_available
from heta_framework.common.stores.vector.on_disk.records import Space
from heta_framework.common.stores.vector.on_disk.state import State

_logger = logging.getLogger(__name__)
_STRETCH = 32_768  # rows between two looks at whether to save
_SAVED_AFTER_S = 2.0  # of work that a kill would lose
_WORK_PER_SAVE = 10  # so that saving takes a tenth of the time at most
_LOCK_FILE = "graph.lock"


@dataclass
class _Held:
    """A graph in memory."""

    generation: int
    graph: Neighbours
    saved: int
    unsaved_s: float = 0.0
    save_s: float = 0.0


class GraphKeeper:
    """The graph of one collection: none below `exact_below` rows, or without the extra `ann`."""

    def __init__(
        self, folder: Path, space: Space, options: GraphOptions, *, exact_below: int, purge_deleted: bool
    ) -> None:
        self._file = GraphFile(folder)
        self._purges = purge_deleted
        self._space = space
        self._options = options
        self._exact_below = exact_below
        self._step = max(1, exact_below // 5)
        self._available = graphs_are_available()
        self._working = threading.Lock()
        self._others = FileLock(folder / _LOCK_FILE, thread_local=False)
        self._held: _Held | None = None

    def of(self, state: State) -> Neighbours | None:
        """The graph to search a state with; made or extended first where too much would be left to scan."""
        if self._behind(state) >= self._exact_below:
            self._work(state)
        return self._graph(state)

    def extend(self, state: State) -> None:
        """Bring the graph up to a state, after a write."""
        if self._behind(state) >= self._step:
            self._work(state)

    def save(self, state: State) -> None:
        """Write down what is not saved yet, unless another process is at work on the graph."""
        with self._working:
            self._forget_dead(state)
            held = self._held
            if held is not None and held.graph.covered > held.saved:
                self._alone(lambda: self._save(held))

    def forget(self, rows: Sequence[int], state: State) -> None:
        """Let go of a graph that knows rows which have died, in memory and in its file: it holds their vectors."""
        with self._working:
            self._forget_dead(state)
            note = self._file.note(state.head.generation)
            if note is None or min(rows) < note.covered:
                self._file.discard()

    def _forget_dead(self, state: State) -> None:
        held = self._held
        if self._purges and held is not None and _knows_dead(held, state):
            self._held = None

    def _graph(self, state: State) -> Neighbours | None:
        held = self._held
        return held.graph if held is not None and held.generation == state.head.generation else None

    def _behind(self, state: State) -> int:
        """How many rows the graph lacks; 0 where there is to be none."""
        if not self._available or state.head.rows < self._exact_below:
            return 0
        graph = self._graph(state)
        return state.head.rows - (graph.covered if graph else 0)

    def _work(self, state: State) -> None:
        if not self._working.acquire(blocking=False):
            return
        try:
            self._forget_dead(state)
            self._take_saved(state)
            if self._behind(state) >= self._step:
                self._alone(lambda: self._extend(state))
        finally:
            self._working.release()

    def _alone(self, work: Callable[[], None]) -> None:
        """Do the work, unless another process is at work on the same graph."""
        try:
            with self._others.acquire(timeout=0):
                work()
        except Timeout:
            return

    def _take_saved(self, state: State) -> None:
        """Load the saved graph where it covers more than the one at hand."""
        note = self._file.note(state.head.generation)
        graph = self._graph(state)
        if note is None or not (graph.covered if graph else 0) < note.covered <= state.head.rows:
            return
        loaded = self._loaded(note)
        if loaded is not None:
            self._held = _Held(note.generation, loaded, saved=note.covered)
            self._forget_dead(state)

    def _loaded(self, note: Note) -> Neighbours | None:
        path = self._file.path_of(note)
        if path is None:
            _logger.warning("the graph %s is gone, torn or altered: it is made again from the vectors", note.file)
            return None
        try:
            return Neighbours.load(path, self._space, self._options, note.covered)
        except ValueError as error:
            _logger.warning("%s: it is made again from the vectors", error)
            return None

    def _extend(self, state: State) -> None:
        held = self._held
        if held is None or held.generation != state.head.generation:
            held = self._held = _Held(state.head.generation, Neighbours(self._space, self._options), saved=0)
        while held.graph.covered < state.head.rows:
            upto = min(held.graph.covered + _STRETCH, state.head.rows)
            held.unsaved_s += held.graph.extend(state.file.read, upto, state.dead)
            if held.unsaved_s >= max(_SAVED_AFTER_S, _WORK_PER_SAVE * held.save_s):
                self._save(held)

    def _save(self, held: _Held) -> None:
        began = time.perf_counter()
        path, covered = self._file.place(), held.graph.covered
        held.graph.save(path)
        self._file.publish(path, held.generation, covered)
        held.saved, held.unsaved_s, held.save_s = covered, 0.0, time.perf_counter() - began


def _knows_dead(held: _Held, state: State) -> bool:
    """Whether rows have died since the graph took them up."""
    covered = held.graph.covered
    if state.dead is None or held.generation != state.head.generation or covered > state.head.rows:
        return False
    return len(held.graph) > covered - int(state.dead[:covered].sum())

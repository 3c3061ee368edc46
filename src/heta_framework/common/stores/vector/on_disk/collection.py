"""One collection on disk: SQLite says what is committed, vectors lie in a flat file, a graph may speed up searches."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from heta_framework.common.stores.fields import unique_ids
from heta_framework.common.stores.vector.checks import Rows, checked_rows
from heta_framework.common.stores.vector.errors import VectorStoreError
from heta_framework.common.stores.vector.on_disk.entries import entry_of, needles, result_of, written_carries
from heta_framework.common.stores.vector.on_disk.graph_keeper import GraphKeeper
from heta_framework.common.stores.vector.on_disk.nearest import Found, Search
from heta_framework.common.stores.vector.on_disk.neighbours import GraphOptions
from heta_framework.common.stores.vector.on_disk.records import Records, Snapshot
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile
from heta_framework.common.stores.vector.on_disk.state import State, all_rows_paths, first_state, next_state, rows_path
from heta_framework.common.stores.vector.types import VectorQuery, VectorRecord, VectorSearchResult

RECORDS_FILE = "records.sqlite"
_LOCK_FILE = "writer.lock"
_COMPACTED_FROM = 1_000  # dead rows
_COPIED = 16_384  # rows at a time
_TIES = 4


class DiskCollection:
    """A folder made by `layout.make_collection`. Any thread and any process may read; writers take turns."""

    def __init__(
        self, folder: Path, *, exact_below: int, graph: GraphOptions, patience: float, purge_deleted: bool
    ) -> None:
        """Open the folder.

        Raises:
            VectorStoreError: its files are damaged.
        """
        self._folder = folder
        self._records = Records(folder / RECORDS_FILE)
        self.space = self._records.space()
        self._lock = FileLock(folder / _LOCK_FILE, thread_local=False)
        self._patience = patience
        self._writing = threading.Lock()
        self._renewing = threading.Lock()
        with self._records.snapshot() as snapshot:
            self._state = first_state(folder, self.space, snapshot)
        self._purges = purge_deleted
        self._graph = GraphKeeper(folder, self.space, graph, exact_below=exact_below, purge_deleted=purge_deleted)

    def upsert(self, records: Sequence[VectorRecord]) -> None:
        """Commit records; see `VectorStoreProtocol.upsert`."""
        ids = unique_ids(record.id for record in records)
        rows = self._checked([record.vector for record in records], [f"vector of record {name!r}" for name in ids])
        entries = [entry_of(record) for record in records]
        if not ids:
            return
        longest = float(np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64).max()))
        with self._writer() as state:
            state.file.write(state.head.rows, rows)
            self._records.replace(state.head.rows, entries, max(longest, state.head.longest))
            self._tidy_up()
        self._graph.extend(self._current())

    def delete(self, ids: Sequence[str]) -> None:
        """Commit that records are gone; unknown ids are passed over."""
        with self._writer():
            self._records.remove(list(ids))
            self._tidy_up()
        self._graph.extend(self._current())

    def purge(self) -> None:
        """Take what is left of deleted records out of the files."""
        if self._purges:
            with self._writer():
                self._tidy_up()
                self._records.purge()

    def count(self) -> int:
        """How many records are committed."""
        with self._records.snapshot() as snapshot:
            head = snapshot.head
        return head.rows - head.tombstones

    def search(self, query: VectorQuery) -> list[VectorSearchResult]:
        """The best hits, best first, equal scores in ascending order of id."""
        search = Search(self._checked([query.vector], ["query vector"])[0], query.top_k, self.space.metric)
        while True:
            with self._records.snapshot() as snapshot:
                state = self._state_of(snapshot)
                results = self._results(search, query.filter, state, snapshot)
            if results is not None:
                return results

    def close(self, *, save: bool = True) -> None:
        """Close the files, and save the graph first."""
        if save:
            self._graph.save(self._current())
        self._records.close()
        self._state.file.close()

    def _results(
        self, search: Search, wanted: Mapping[str, Any], state: State, snapshot: Snapshot
    ) -> list[VectorSearchResult] | None:
        """The hits, or None where another thread has brought a state that is newer than the snapshot."""
        if wanted:
            pairs = snapshot.metadata_holding(needles(wanted))
            rows = np.fromiter((row for row, metadata in pairs if written_carries(metadata, wanted)), dtype=np.intp)
            found = search.among(state, rows)
        else:
            found = search.among_all(state, self._graph.of(state))
        best = found.best(search.k)
        if snapshot.head.generation != state.head.generation or self._died_meanwhile(state, best.rows.tolist()):
            return None
        return _ranked(best, search.k, snapshot)

    def _died_meanwhile(self, state: State, rows: Sequence[int]) -> bool:
        """Whether some of the rows, or the numbers of all, are no longer what they were in this state."""
        if not self._purges:
            return False
        with self._records.snapshot() as now:
            if now.head.generation != state.head.generation:
                return True
            fresh = now.dead_rows(state.head.tombstones) if now.head.tombstones > state.head.tombstones else ()
        return not set(rows).isdisjoint(fresh)

    def _state_of(self, snapshot: Snapshot) -> State:
        """The state of a snapshot, or a newer one that another thread has seen."""
        head = snapshot.head
        if head == self._state.head:
            return self._state
        with self._renewing:
            before = self._state
            if head.generation > before.head.generation:
                self._state = first_state(self._folder, self.space, snapshot)
            elif head.generation == before.head.generation and head[1:3] > before.head[1:3]:
                self._state = next_state(before, snapshot)
            return self._state

    @contextmanager
    def _writer(self) -> Iterator[State]:
        """The right to write, with the state that is written behind."""
        with self._writing:
            try:
                self._lock.acquire(timeout=self._patience)
            except Timeout:
                raise VectorStoreError(
                    f"{self._folder} is being written by another process (waited {self._patience:g} s)"
                ) from None
            try:
                yield self._current()
            finally:
                self._lock.release()

    def _current(self) -> State:
        with self._records.snapshot() as snapshot:
            return self._state_of(snapshot)

    def _tidy_up(self) -> None:
        if self._purges:
            self._erase_dead()
        self._compact_if_mostly_dead()

    def _erase_dead(self) -> None:
        """Overwrite the vectors of records that have gone, also of those that a killed process left so.

        A search that began before may meet the zeros: it looks again, see `_died_meanwhile`.
        """
        state = self._current()
        for path in all_rows_paths(self._folder):
            if path != state.file.path:  # left by a process that was killed while it compacted
                path.unlink(missing_ok=True)
        with self._records.snapshot() as snapshot:
            rows = snapshot.dead_rows(snapshot.erased())
        if rows:
            state.file.erase(rows)
            self._graph.forget(rows, state)
            self._records.note_erased(state.head.tombstones)

    def _compact_if_mostly_dead(self) -> None:
        """Where over half of the rows are dead, go on with a file of the living ones, and remove the old file."""
        state = self._current()
        head, file = state.head, state.file
        if head.tombstones < _COMPACTED_FROM or 2 * head.tombstones <= head.rows:
            return
        with self._records.snapshot() as snapshot:
            living = np.array(snapshot.living_rows(), dtype=np.intp)
        compact = RowsFile.make(rows_path(self._folder, head.generation + 1), self.space.dimension)
        vectors = file.mapped(head.rows)
        for start in range(0, len(living), _COPIED):
            compact.write(start, vectors[living[start : start + _COPIED]])
        compact.close()
        self._records.compact()
        self._current()
        file.path.unlink()

    def _checked(self, vectors: Sequence[Any], names: Sequence[str]) -> Rows:
        return checked_rows(vectors, self.space.dimension, self.space.metric, lambda row: names[row])


def _ranked(found: Found, k: int, snapshot: Snapshot) -> list[VectorSearchResult] | None:
    """The k best as hits, equal scores by id; None where a row has no record in the snapshot."""
    if len(found.rows) > _TIES * k:  # so many equal scores that only the ids are read of all
        ids = snapshot.ids(found.rows.tolist())
        if len(ids) < len(found.rows):
            return None
        first = sorted(range(len(found.rows)), key=lambda place: (-found.scores[place], ids[int(found.rows[place])]))
        found = Found(found.rows[first[:k]], found.scores[first[:k]])
    entries = snapshot.entries(found.rows.tolist())
    if len(entries) < len(found.rows):
        return None
    hits = [
        result_of(entries[row], score) for row, score in zip(found.rows.tolist(), found.scores.tolist(), strict=True)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]

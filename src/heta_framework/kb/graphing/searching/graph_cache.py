"""Graphs that this process has in memory, the least recently used forgotten first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from anyio import to_thread

from heta_framework.common.stores.sql.turns import Turns
from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot, read_snapshot
from heta_framework.kb.graphing.searching.graph_walk import entity_passage_walk
from heta_framework.kb.graphing.searching.pagerank import Walk

if TYPE_CHECKING:
    from heta_framework.kb.graphing.storing.graph_reader import GraphReader

_MOST_GRAPHS = 4
_Key = tuple[str, ...]
_T = TypeVar("_T")


class GraphCache:
    """Loads graphs and the walks on them, in worker threads.

    A graph is known by its revision, so that one that was brought up to date is loaded anew.
    """

    def __init__(self, most: int = _MOST_GRAPHS) -> None:
        self._snapshots: _Lru[GraphSnapshot] = _Lru(most)
        self._walks: _Lru[Walk] = _Lru(most)
        self._loading = Turns(1)

    async def snapshot(self, key: _Key, reader: GraphReader) -> GraphSnapshot:
        """The graph whose revision ``key`` stands for."""
        held = self._snapshots.get(key)
        if held is not None:
            return held
        async with self._loading.held():
            return await self._snapshot(key, reader)

    async def walk(self, key: _Key, reader: GraphReader, synonym_threshold: float) -> tuple[GraphSnapshot, Walk]:
        """The graph, and the walk on it over synonyms of at least this similarity."""
        whole = (*key, repr(synonym_threshold))
        held = self._walks.get(whole)
        if held is None:
            async with self._loading.held():
                snapshot = await self._snapshot(key, reader)
                held = self._walks.get(whole)
                if held is None:
                    held = await to_thread.run_sync(entity_passage_walk, snapshot, synonym_threshold)
                    self._walks.put(whole, held)
        return await self.snapshot(key, reader), held

    def forget(self, namespace: str) -> None:
        """Let go of the graphs of a knowledge base, in whatever state."""
        for held in (self._snapshots, self._walks):
            held.forget(lambda key: key[0].endswith(f"__{namespace}"))

    async def _snapshot(self, key: _Key, reader: GraphReader) -> GraphSnapshot:
        held = self._snapshots.get(key)
        if held is None:
            held = await read_snapshot(reader)
            self._snapshots.put(key, held)
        return held


class _Lru(Generic[_T]):
    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[_Key, _T] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: _Key) -> _T | None:
        with self._guard:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def forget(self, unwanted: Callable[[_Key], bool]) -> None:
        with self._guard:
            for key in [one for one in self._held if unwanted(one)]:
                del self._held[key]

    def put(self, key: _Key, value: _T) -> None:
        with self._guard:
            self._held[key] = value
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)


GRAPHS = GraphCache()
"""Of this process."""

"""What a graph of neighbours is trusted with: it reaches its rows; where it does not, all rows are scanned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from heta_framework.common.stores.vector.checks import Rows
from heta_framework.common.stores.vector.on_disk.nearest import Search
from heta_framework.common.stores.vector.on_disk.neighbours import GraphOptions, Neighbours
from heta_framework.common.stores.vector.on_disk.records import Head, Space
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile
from heta_framework.common.stores.vector.on_disk.state import State

pytest.importorskip("usearch", reason="needs the extra ann")

_ROWS, _DIMENSION = 2_000, 16
_SPACE = Space(_DIMENSION, "cosine")


@pytest.fixture
def rows() -> Rows:
    rows = np.random.default_rng(4).standard_normal((_ROWS, _DIMENSION)).astype(np.float32)
    unit: Rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


@pytest.fixture
def state(tmp_path: Path, rows: Rows) -> Iterator[State]:
    file = RowsFile.make(tmp_path / "vectors.f32", _DIMENSION)
    file.write(0, rows)
    yield State(Head(0, _ROWS, 0, 1.0), file, None)
    file.close()


def _graph(rows: Rows, unknown: slice | None = None) -> Neighbours:
    """A graph over all rows that knows nothing of some of them."""
    dead = np.zeros(_ROWS, dtype=np.bool_)
    if unknown is not None:
        dead[unknown] = True
    graph = Neighbours(_SPACE, GraphOptions(threads=4))
    graph.extend(lambda first, count: rows[first : first + count], _ROWS, dead)
    return graph


def _expected(rows: Rows, query: Rows, k: int) -> set[int]:
    return set(np.argsort(-(rows @ query))[:k].tolist())


def test_every_row_of_a_small_graph_is_reached_however_many_threads_may_build_it(rows: Rows) -> None:
    assert set(_graph(rows).propose(rows[7], _ROWS).tolist()) == set(range(_ROWS))


def test_a_search_for_few_rows_goes_through_the_graph(rows: Rows, state: State) -> None:
    best = np.argmax(rows @ rows[7])
    found = Search(rows[7], 5, "cosine").among_all(state, _graph(rows, unknown=slice(7, 8)))
    assert best == 7
    assert 7 not in found.best(5).rows


def test_a_search_for_a_large_part_of_the_rows_is_exact(rows: Rows, state: State) -> None:
    graph = _graph(rows, unknown=slice(0, _ROWS, 2))
    for k in (200, _ROWS, 10 * _ROWS):
        found = Search(rows[7], k, "cosine").among_all(state, graph).best(k)
        assert set(found.rows.tolist()) == _expected(rows, rows[7], k)


def test_a_search_is_exact_where_the_graph_proposes_fewer_rows_than_were_asked_for(rows: Rows, state: State) -> None:
    graph = _graph(rows, unknown=slice(4, _ROWS))
    found = Search(rows[7], 10, "cosine").among_all(state, graph).best(10)
    assert set(found.rows.tolist()) == _expected(rows, rows[7], 10)

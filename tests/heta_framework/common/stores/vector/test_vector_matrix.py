"""The synchronous vector core: exactness, ties, forks, persistence, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.stores.snapshot import SnapshotError
from heta_framework.common.stores.vector import Metric, VectorMatrix

_METRICS: tuple[Metric, ...] = get_args(Metric)


def _reference(rows: np.ndarray[Any, Any], query: np.ndarray[Any, Any], metric: Metric) -> np.ndarray[Any, Any]:
    rows, query = rows.astype(np.float64), query.astype(np.float64)
    if metric == "l2":
        return np.asarray(-np.linalg.norm(rows - query, axis=1))
    scale = np.linalg.norm(rows, axis=1) * np.linalg.norm(query) if metric == "cosine" else 1.0
    return np.asarray(rows @ query / scale)


def _filled(rows: np.ndarray[Any, Any], metric: Metric = "cosine") -> VectorMatrix:
    matrix = VectorMatrix(rows.shape[1], metric=metric)
    matrix.add([f"id{n:04d}" for n in range(len(rows))], rows)
    return matrix


@pytest.mark.parametrize("metric", _METRICS)
@pytest.mark.parametrize("offset", [0.0, 300.0])
def test_the_best_are_those_of_a_float64_scan(metric: Metric, offset: float) -> None:
    rng = np.random.default_rng(7)
    rows = (rng.standard_normal((500, 16)) + offset).astype(np.float32)
    matrix = _filled(rows, metric)
    for query in rows[:20] + np.float32(0.25):
        expected = _reference(rows, query, metric)
        hits = matrix.search(query, 10)
        scores = [score for _, score in hits]
        assert scores == pytest.approx(sorted(expected, reverse=True)[:10], rel=1e-5, abs=1e-6)
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("metric", _METRICS)
def test_equal_vectors_tie_exactly_and_come_in_order_of_id(metric: Metric) -> None:
    rng = np.random.default_rng(3)
    vector = rng.standard_normal(257).astype(np.float32)
    rows = np.vstack([rng.standard_normal((40, 257)).astype(np.float32), np.tile(vector, (37, 1))])
    matrix = VectorMatrix(257, metric=metric)
    matrix.add([f"other{n}" for n in range(40)] + [f"same{n:02d}" for n in reversed(range(37))], rows)
    hits = matrix.search(vector, 5)
    assert [record_id for record_id, _ in hits] == [f"same{n:02d}" for n in range(5)]
    assert len({score for _, score in hits}) == 1


@pytest.mark.parametrize("scale", [1e-25, 1.0, 1e15])
def test_cosine_does_not_depend_on_length(scale: float) -> None:
    matrix = VectorMatrix(2)
    matrix.add(["a", "b"], [[3 * scale, 4 * scale], [1.0, 0.0]])
    ((found, score),) = matrix.search([6 * scale, 8 * scale], 1)
    assert found == "a"
    assert score == pytest.approx(1.0, abs=1e-6)


def test_among_limits_the_hits() -> None:
    matrix = _filled(np.eye(4, dtype=np.float32))
    assert [record_id for record_id, _ in matrix.search([1, 0.5, 0.2, 0.1], 2, among=["id0003", "id0001", "none"])] == [
        "id0001",
        "id0003",
    ]
    assert matrix.search([1, 0, 0, 0], among=[]) == []


def test_it_grows_replaces_and_deletes() -> None:
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((300, 4)).astype(np.float32)
    matrix = VectorMatrix(4)
    for n, row in enumerate(rows):
        matrix.add([f"id{n:04d}"], [row])
    matrix.add(["id0000"], [rows[299]])
    assert matrix.delete(["id0001", "absent"]) == 1
    assert len(matrix) == 299
    assert "id0001" not in matrix
    assert {record_id for record_id, _ in matrix.search(rows[299], 2)} == {"id0000", "id0299"}
    assert matrix.search(rows[5], 1)[0][0] == "id0005"


def test_a_fork_and_its_origin_go_separate_ways() -> None:
    origin = _filled(np.eye(3, dtype=np.float32))
    first, second = origin.fork(), origin.fork()
    origin.add(["new"], [[1, 1, 0]])
    first.add(["new"], [[0, 1, 1]])
    grandchild = first.fork()
    first.delete(["id0000"])
    assert origin.search([1, 1, 0], 1)[0][0] == "new"
    assert first.search([0, 1, 1], 1)[0][0] == "new"
    assert second.search([1, 1, 0], 1)[0][0] == "id0000"
    assert [len(matrix) for matrix in (origin, first, second, grandchild)] == [4, 3, 3, 4]
    assert "new" not in second


def test_a_fork_shares_memory_until_it_writes() -> None:
    origin = _filled(np.eye(3, dtype=np.float32))
    fork = origin.fork()
    assert np.shares_memory(fork._matrix, origin._matrix)
    fork.add(["new"], [[1, 1, 1]])
    assert not np.shares_memory(fork._matrix, origin._matrix)


@pytest.mark.parametrize("metric", _METRICS)
def test_saved_and_loaded_it_answers_the_same(tmp_path: Path, metric: Metric) -> None:
    matrix = _filled(np.random.default_rng(5).standard_normal((20, 3)).astype(np.float32), metric)
    matrix.save(tmp_path)
    loaded = VectorMatrix.load(tmp_path)
    assert loaded.search([1, 2, 3], 20) == matrix.search([1, 2, 3], 20)
    loaded.add(["more"], [[1, 1, 1]])
    assert len(loaded) == 21


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    path = _filled(np.eye(2, dtype=np.float32)).save(tmp_path)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(SnapshotError, match=r"vectors\.snapshot"):
        VectorMatrix.load(tmp_path)


@pytest.mark.parametrize(
    ("ids", "vectors", "message"),
    [
        (["a", "b"], [[1, 0], [float("nan"), 0]], "record 'b' holds a component that is not finite"),
        (["a"], [[float("inf"), 0]], "record 'a' holds a component that is not finite"),
        (["a", "b"], [[1, 0], [1, 0, 0]], "record 'b' has 3 components, expected 2"),
        (["a"], [[0, 0]], "record 'a' is zero"),
        (["a"], [[1e30, 0]], "record 'a' is longer than"),
        (["a", "b"], [[1, 0], ["x", "y"]], "record 'b' holds a component that is not a number"),
        (["a", "b"], [[1, 0], [[1], [1, 2]]], "record 'b' holds a component that is not a number"),
        (["a", "a"], [[1, 0], [1, 0]], "'a' comes twice"),
        ([" "], [[1, 0]], "must not be empty"),
        (["a", "b"], [[1, 0]], "2 ids and 1 vectors"),
    ],
)
def test_bad_records_are_refused_by_name_and_nothing_is_added(ids: list[str], vectors: Any, message: str) -> None:
    matrix = VectorMatrix(2)
    with pytest.raises(ValueError, match=message):
        matrix.add(ids, vectors)
    assert len(matrix) == 0


def test_a_zero_vector_is_fine_where_no_direction_is_needed() -> None:
    matrix = VectorMatrix(2, metric="l2")
    matrix.add(["zero", "one"], [[0, 0], [1, 0]])
    assert matrix.search([0, 0]) == [("zero", 0.0), ("one", -1.0)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ([1, 2, 3], "query vector has 3 components"),
        ([float("nan"), 1], "query vector"),
        ([0, 0], "query vector is zero"),
    ],
)
def test_a_bad_query_is_refused(query: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _filled(np.eye(2, dtype=np.float32)).search(query)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="dimension must be greater than zero"):
        VectorMatrix(0)
    with pytest.raises(ValueError, match="metric must be one of: cosine, dot, l2; found 'euclid'"):
        VectorMatrix(2, metric="euclid")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="k must be greater than zero"):
        VectorMatrix(2).search([1, 0], 0)


_COMPONENT = st.floats(-1e6, 1e6, width=32).filter(lambda value: value == 0 or abs(value) > 1e-6)


@given(st.lists(st.tuples(_COMPONENT, _COMPONENT, _COMPONENT), min_size=1, max_size=40), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_no_better_vector_is_ever_left_out(vectors: list[tuple[float, float, float]], k: int) -> None:
    rows = np.array(vectors, dtype=np.float32)
    matrix = _filled(rows, "l2")
    returned = [score for _, score in matrix.search(rows[0], k)]
    expected = sorted(_reference(rows, rows[0], "l2"), reverse=True)[:k]
    assert returned == pytest.approx(expected, rel=1e-9, abs=1e-9)

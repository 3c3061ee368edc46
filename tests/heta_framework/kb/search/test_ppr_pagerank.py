"""Personalised PageRank: against tiny graphs worked by hand, and against a dense solution of its equations."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb.graphing.searching.pagerank import personalised_pagerank, walk_on

Array = npt.NDArray[np.float64]


def solved(nodes: int, ends: npt.NDArray[np.int64], weights: Array, reset: Array, damping: float) -> Array:
    """p = d (P + r 1_dangling^T) p + (1 - d) r as a linear system, dense."""
    adjacency = np.zeros((nodes, nodes))
    for (one, other), weight in zip(ends, weights, strict=True):
        if one != other:
            adjacency[one, other] += weight
            adjacency[other, one] += weight
    start = reset / reset.sum()
    matrix = np.zeros((nodes, nodes))
    for column in range(nodes):
        total = adjacency[:, column].sum()
        matrix[:, column] = adjacency[:, column] / total if total else start
    return np.linalg.solve(np.eye(nodes) - damping * matrix, (1 - damping) * start)


def ranked(nodes: int, edges: list[tuple[int, int, float]], reset: list[float], damping: float) -> Array:
    ends = np.asarray([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    weights = np.asarray([edge[2] for edge in edges], dtype=np.float64)
    rank, _ = personalised_pagerank(walk_on(nodes, ends, weights), np.asarray(reset), damping)
    assert np.allclose(rank, solved(nodes, ends, weights, np.asarray(reset), damping), atol=1e-8)
    return rank


def test_two_nodes_joined_by_one_edge() -> None:
    # p0 = d p1 + (1 - d), p1 = d p0: p0 = 1 / (1 + d)
    assert np.allclose(ranked(2, [(0, 1, 7.0)], [1, 0], 0.5), [2 / 3, 1 / 3])


def test_a_path_of_three_nodes_from_its_end() -> None:
    # p1 = d (p0 + p2), p2 = d p1 / 2, p0 = 1 - d + d p1 / 2 with d = 1/2
    assert np.allclose(ranked(3, [(0, 1, 1), (1, 2, 1)], [1, 0, 0], 0.5), [7 / 12, 4 / 12, 1 / 12])


def test_a_star_shares_by_weight() -> None:
    # from the middle: each leaf gets d w / sum(w) of the middle's rank, and gives d of it back
    rank = ranked(3, [(0, 1, 3.0), (0, 2, 1.0)], [1, 0, 0], 0.5)
    assert np.allclose(rank, [2 / 3, 1 / 4, 1 / 12])


def test_without_following_edges_the_walk_stays_where_it_began() -> None:
    assert np.allclose(ranked(3, [(0, 1, 1), (1, 2, 1)], [1, 3, 0], 0.0), [0.25, 0.75, 0])


def test_a_node_without_edges_begins_anew() -> None:
    assert np.allclose(ranked(3, [(0, 1, 1)], [0, 0, 5], 0.5), [0, 0, 1])
    assert np.allclose(ranked(2, [], [1, 1], 0.5), [0.5, 0.5])


def test_parts_that_no_walk_reaches_have_no_rank() -> None:
    rank = ranked(4, [(0, 1, 1), (2, 3, 1)], [1, 0, 0, 0], 0.85)
    assert rank[2] == rank[3] == 0


def test_edges_that_come_twice_weigh_their_sum_and_loops_nothing() -> None:
    once = ranked(3, [(0, 1, 2.0), (0, 2, 1.0)], [1, 0, 0], 0.5)
    twice = ranked(3, [(0, 1, 1.0), (1, 0, 1.0), (0, 2, 1.0), (2, 2, 9.0)], [1, 0, 0], 0.5)
    assert np.allclose(once, twice)
    assert walk_on(3, np.asarray([[0, 1], [1, 0], [2, 2]]), np.ones(3)).edge_count == 1


edges = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.floats(0.01, 10)), max_size=14)


@given(edges, st.lists(st.floats(0, 5), min_size=7, max_size=7).filter(lambda r: sum(r) > 0.1), st.floats(0, 0.9))
def test_any_graph_agrees_with_the_dense_solution(
    graph: list[tuple[int, int, float]], reset: list[float], damping: float
) -> None:
    rank = ranked(7, graph, reset, damping)
    assert rank.sum() == pytest.approx(1)
    assert (rank >= 0).all()


@pytest.mark.parametrize(
    ("reset", "damping", "message"),
    [
        ([0, 0], 0.5, "must have a positive entry"),
        ([1, -1], 0.5, "must not be negative"),
        ([float("nan"), 0], 0.5, "positive entry"),
        ([1, 0], 1.0, "damping must be at least 0 and below 1, found 1.0"),
        ([1, 0], -0.1, "damping must be at least 0"),
    ],
)
def test_walks_that_cannot_be_are_refused(reset: list[float], damping: float, message: str) -> None:
    walk = walk_on(2, np.asarray([[0, 1]]), np.ones(1))
    with pytest.raises(ValueError, match=message):
        personalised_pagerank(walk, np.asarray(reset, dtype=float), damping)

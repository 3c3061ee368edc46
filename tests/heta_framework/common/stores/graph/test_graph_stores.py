"""Graphs in memory, in SQLite and in PostgreSQL do the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.stores import (
    GraphEdge,
    GraphNode,
    GraphStoreProtocol,
    InMemoryGraphStore,
    SqlGraphStore,
    SQLStore,
    WalkableGraphStoreProtocol,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[WalkableGraphStoreProtocol]:
    """Each kind of graph store, empty."""
    if request.param == "memory":
        yield InMemoryGraphStore()
        return
    sql = SQLStore("sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres"))
    yield SqlGraphStore(sql)
    await sql.aclose()


def _ids(parts: Sequence[GraphNode | GraphEdge]) -> list[str]:
    return [part.id for part in parts]


async def test_nodes_and_edges_are_kept_replaced_and_removed(store: WalkableGraphStoreProtocol) -> None:
    assert isinstance(store, GraphStoreProtocol)
    assert isinstance(store, WalkableGraphStoreProtocol)
    node = GraphNode("a", ("Person", "Author"), {"name": "Ünï \0 😀", "deep": {"x": [1, 2.5, None, True]}})
    edge = GraphEdge("e", "a", "b", "KNOWS", {"weight": 0.1})
    await store.upsert_nodes([GraphNode("a"), GraphNode("b"), node])
    await store.upsert_edges([GraphEdge("e", "b", "c", "OLD"), edge, GraphEdge("f", "b", "a", "KNOWS")])
    assert [await store.get_node("a"), await store.get_edge("e")] == [node, edge]
    assert [await store.get_node("nobody"), await store.get_edge("nothing")] == [None, None]
    assert [await store.count_nodes(), await store.count_edges()] == [2, 2]
    assert _ids(await store.edges_of(["c"])) == []  # the end of the edge that was replaced
    await store.delete_edges(["f", "unknown"])
    await store.upsert_nodes([])
    await store.delete_nodes([])
    assert [await store.count_nodes(), await store.count_edges()] == [2, 1]
    await store.aclose()


async def test_a_deleted_node_takes_its_edges_with_it(store: WalkableGraphStoreProtocol) -> None:
    await store.upsert_nodes([GraphNode(name) for name in "abc"])
    await store.upsert_edges([GraphEdge(ends, ends[0], ends[1], "T") for ends in ("ab", "bc", "ca", "ac")])
    await store.delete_nodes(["b", "unknown"])
    assert _ids(await store.nodes()) == ["a", "c"]
    assert _ids(await store.edges()) == ["ac", "ca"]
    assert await store.get_edge("ab") is None


async def test_an_edge_may_come_before_its_ends(store: WalkableGraphStoreProtocol) -> None:
    await store.upsert_edges([GraphEdge("e", "a", "b", "T")])
    assert [await store.count_nodes(), await store.count_edges()] == [0, 1]
    assert await store.neighbours("a") == []
    await store.upsert_nodes([GraphNode("b")])
    assert _ids(await store.neighbours("a")) == ["b"]
    await store.delete_nodes(["a"])
    assert await store.count_edges() == 0


async def test_the_graph_can_be_walked(store: WalkableGraphStoreProtocol) -> None:
    await store.upsert_nodes([GraphNode(name) for name in ("hub", "z", "B", "a", "é")])
    ends = [("hub", "z"), ("B", "hub"), ("hub", "a"), ("hub", "B"), ("hub", "é"), ("a", "z")]
    await store.upsert_edges([GraphEdge(f"{number}", *pair, "T") for number, pair in enumerate(ends)])
    assert _ids(await store.neighbours("hub")) == ["B", "a", "z", "é"]
    assert _ids(await store.neighbours("hub", limit=2)) == ["B", "a"]
    assert await store.neighbours("nobody") == []
    assert _ids(await store.edges_of(["a", "z", "nobody"])) == ["0", "2", "5"]
    assert await store.edges_of([]) == []
    with pytest.raises(ValueError, match="limit"):
        await store.neighbours("hub", limit=0)


async def test_pages_go_through_everything_once(store: WalkableGraphStoreProtocol) -> None:
    names = sorted(f"{prefix}{number}" for prefix in ("a", "B", "é", "'; --", "%") for number in range(9))
    await store.upsert_nodes([GraphNode(name) for name in reversed(names)])
    await store.upsert_edges([GraphEdge(name, name, "hub", "T") for name in names])
    for pages in (store.nodes, store.edges):
        seen: list[str] = []
        while page := await pages(seen[-1] if seen else None, 7):
            seen += _ids(page)
        assert seen == names


async def test_graphs_of_two_names_in_one_database_do_not_meet() -> None:
    sql = SQLStore("sqlite://")
    one, other = SqlGraphStore(sql, name="one"), SqlGraphStore(sql, name="other")
    await one.upsert_nodes([GraphNode("a")])
    assert await other.count_nodes() == 0
    assert await SqlGraphStore(sql, name="one").count_nodes() == 1
    await one.drop()
    assert await one.count_nodes() == 0
    await sql.aclose()


def test_a_name_that_is_no_table_name_is_refused() -> None:
    for name in ("", "1st", "a-b", "a b", 'a"; DROP TABLE x', "x" * 51):
        with pytest.raises(ValueError, match="name must be"):
            SqlGraphStore(SQLStore("sqlite://"), name=name)
    SqlGraphStore(SQLStore("sqlite://"), name="heta_graph__" + "n" * 37)


_names = st.sampled_from("abcdefgh")
_changes = st.one_of(
    st.tuples(st.just("upsert_nodes"), st.lists(st.builds(GraphNode, _names), max_size=4)),
    st.tuples(
        st.just("upsert_edges"),
        st.lists(
            st.tuples(_names, _names, _names)
            .filter(lambda ends: ends[1] != ends[2])
            .map(lambda ends: GraphEdge(*ends, "T")),
            max_size=4,
        ),
    ),
    st.tuples(st.sampled_from(["delete_nodes", "delete_edges"]), st.lists(_names, max_size=3)),
)


@settings(max_examples=25)
@given(changes=st.lists(_changes, max_size=8))
def test_memory_and_database_agree_after_any_changes(changes: list[tuple[str, list[Any]]]) -> None:
    async def run() -> None:
        sql = SQLStore("sqlite://")
        stores = (InMemoryGraphStore(), SqlGraphStore(sql))
        for change, parts in changes:
            for store in stores:
                await getattr(store, change)(parts)
        seen = [
            (
                await store.nodes(),
                await store.edges(),
                [await store.neighbours(name) for name in "abc"],
                await store.edges_of("abc"),
                await store.count_edges(),
            )
            for store in stores
        ]
        assert seen[0] == seen[1]
        await sql.aclose()

    anyio.run(run)

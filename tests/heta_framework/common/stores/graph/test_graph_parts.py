"""Nodes and edges: what they may hold."""

from __future__ import annotations

from typing import Any

import pytest

from heta_framework.common.stores import GraphEdge, GraphNode


def test_nodes_and_edges_keep_what_they_are_given() -> None:
    node = GraphNode(
        " a ", ["Person", " Author "], {"age": 36, "names": ("Ada", "A."), "deep": {"x": [1.5, None, True]}}
    )  # type: ignore[arg-type]
    assert node.id == " a "
    assert node.labels == ("Person", "Author")
    assert node.properties == {"age": 36, "names": ["Ada", "A."], "deep": {"x": [1.5, None, True]}}
    assert GraphNode("a") == GraphNode("a", ("Entity",), {})
    assert GraphNode("a", "Person").labels == ("Person",)  # type: ignore[arg-type]
    edge = GraphEdge("e", "a", "b", "KNOWS")
    assert (edge.source_id, edge.target_id, edge.type, edge.properties) == ("a", "b", "KNOWS", {})


def test_properties_are_a_copy() -> None:
    properties = {"list": [1]}
    node = GraphNode("a", properties=properties)
    properties["list"].append(2)
    assert node.properties == {"list": [1]}


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"id": " "}, ValueError, "id must not be empty"),
        ({"id": 5}, TypeError, "id must be a string"),
        ({"id": "a\0"}, ValueError, "NUL"),
        ({"id": "a\ud800"}, ValueError, "surrogate"),
        ({"labels": ()}, ValueError, "labels must not be empty"),
        ({"labels": ("A", " ")}, ValueError, "labels must not be empty"),
        ({"properties": {"x": float("nan")}}, ValueError, r"properties\['x'\] is nan"),
        ({"properties": {"x": [1, {"y": float("-inf")}]}}, ValueError, r"properties\['x'\]\[1\]\['y'\] is -inf"),
        ({"properties": {"x": {1, 2}}}, TypeError, r"properties\['x'\] is of type set"),
        ({"properties": {5: 1}}, TypeError, "key 5 of type int"),
        ({"properties": {"x": "\ud800"}}, ValueError, "surrogate"),
        ({"properties": {"\ud800": 1}}, ValueError, "surrogate"),
    ],
)
def test_what_no_store_could_keep_is_refused_at_the_door(fields: dict[str, Any], error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        GraphNode(**({"id": "a"} | fields))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"id": ""}, "id must not be empty"),
        ({"source_id": ""}, "source_id must not be empty"),
        ({"target_id": " "}, "target_id must not be empty"),
        ({"type": ""}, "type must not be empty"),
        ({"target_id": "a"}, "must be different; both are 'a'"),
        ({"properties": {"weight": float("inf")}}, "weight"),
    ],
)
def test_an_edge_needs_a_type_and_two_different_ends(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        GraphEdge(**({"id": "e", "source_id": "a", "target_id": "b", "type": "T"} | fields))

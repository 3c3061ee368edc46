"""What a graph is made of: nodes with labels, directed edges with a type, properties on both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.stores.fields import required_text
from heta_framework.common.stores.graph.properties import plain_json


@dataclass(frozen=True)
class GraphNode:
    """A node. The id is taken as it is; properties are copied as plain JSON data.

    Raises:
        TypeError: an id or label is no string, or a property is nothing that JSON can hold.
        ValueError: an id or label is blank, there is no label, or a number is not finite.
    """

    id: str
    labels: tuple[str, ...] = ("Entity",)
    properties: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_text("id", self.id)
        labels = (self.labels,) if isinstance(self.labels, str) else tuple(self.labels)
        if not labels:
            raise ValueError("labels must not be empty")
        object.__setattr__(self, "labels", tuple(required_text("labels", label) for label in labels))
        object.__setattr__(self, "properties", plain_json("properties", dict(self.properties)))


@dataclass(frozen=True)
class GraphEdge:
    """A directed edge between two different nodes, which need not be stored (yet).

    Raises:
        TypeError: an id or the type is no string, or a property is nothing that JSON can hold.
        ValueError: an id or the type is blank, both ends are the same, or a number is not finite.
    """

    id: str
    source_id: str
    target_id: str
    type: str
    properties: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("id", "source_id", "target_id", "type"):
            _check_text(name, getattr(self, name))
        if self.source_id == self.target_id:
            raise ValueError(f"source_id and target_id must be different; both are {self.source_id!r}")
        object.__setattr__(self, "properties", plain_json("properties", dict(self.properties)))


def _check_text(field_name: str, text: str) -> None:
    required_text(field_name, text)
    if "\0" in text:
        raise ValueError(f"{field_name} {text!r} holds a NUL character, which databases cannot keep")

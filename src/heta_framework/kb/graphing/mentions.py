"""What one text says: entities and relations between them, before they belong to a chunk of a document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A thing that a text names."""

    name: str
    type: str
    description: str
    subtype: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelationMention:
    """A relation that a text states; ``source`` and `target` are names of its entities."""

    source: str
    target: str
    type: str
    name: str
    description: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextGraph:
    """Everything that was extracted from one text."""

    entities: tuple[EntityMention, ...] = ()
    relations: tuple[RelationMention, ...] = ()

    def to_bytes(self) -> bytes:
        """Compact JSON, as the step cache keeps it."""
        return json.dumps(asdict(self), ensure_ascii=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> TextGraph:
        """What `to_bytes` gave."""
        fields: dict[str, list[dict[str, Any]]] = json.loads(data)
        return cls(
            tuple(EntityMention(**entity) for entity in fields["entities"]),
            tuple(RelationMention(**relation) for relation in fields["relations"]),
        )

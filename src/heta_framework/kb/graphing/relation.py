"""A relation: what a chunk, or several, say of two entities."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.kb.graphing.record_fields import check_texts, chunk_ids, known_fields, text_attributes

_TEXTS = (
    "relation_id",
    "chunk_id",
    "document_id",
    "source_entity_id",
    "target_entity_id",
    "source_entity_name",
    "target_entity_name",
    "type",
    "name",
    "description",
)


@dataclass(frozen=True)
class ExtractedRelation:
    """A statement about two different entities.

    Attributes:
        chunk_id: the chunk that states it; of a merged relation, ``dedup_`` and a hash of its chunks.
        document_id: the document of (the first of) its chunks.
        type: what kind of relation, in the extractor's words; ``name`` is the relation itself.
        source_chunk_ids: all chunks that state it.
    """

    relation_id: str
    chunk_id: str
    document_id: str
    source_entity_id: str
    target_entity_id: str
    source_entity_name: str
    target_entity_name: str
    type: str
    name: str
    description: str
    attributes: Mapping[str, str]
    source_chunk_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        check_texts(self, *_TEXTS)
        if self.source_entity_id == self.target_entity_id:
            raise ValueError("source_entity_id and target_entity_id must be different")
        object.__setattr__(self, "attributes", text_attributes(self.attributes))
        object.__setattr__(self, "source_chunk_ids", chunk_ids(self.source_chunk_ids))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        texts = {name: getattr(self, name) for name in _TEXTS}
        return {**texts, "attributes": dict(self.attributes), "source_chunk_ids": list(self.source_chunk_ids)}

    def to_json(self) -> str:
        """`to_dict` as compact JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))

    def to_json_bytes(self) -> bytes:
        """`to_json` in UTF-8."""
        return self.to_json().encode("utf-8", "replace")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExtractedRelation:
        """From what `to_dict` gave."""
        return cls(**known_fields(cls, data))

    @classmethod
    def from_json(cls, data: str | bytes) -> ExtractedRelation:
        """From what `to_json` or `to_json_bytes` gave."""
        return cls.from_dict(json.loads(data))

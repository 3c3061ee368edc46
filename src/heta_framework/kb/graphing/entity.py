"""An entity: a thing that a chunk names, or that several chunks name once duplicates are one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.kb.graphing.record_fields import check_texts, chunk_ids, known_fields, text_attributes


@dataclass(frozen=True)
class ExtractedEntity:
    """A thing with a name.

    Attributes:
        chunk_id: the chunk that names it; of a merged entity, ``dedup_`` and a hash of its chunks.
        document_id: the document of (the first of) its chunks.
        type, subtype: what kind of thing, in the extractor's words.
        description: what the chunks say of it.
        source_chunk_ids: all chunks that name it.
    """

    entity_id: str
    chunk_id: str
    document_id: str
    name: str
    type: str
    subtype: str | None
    description: str
    attributes: Mapping[str, str]
    source_chunk_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        check_texts(self, "entity_id", "chunk_id", "document_id", "name", "type", "description")
        if self.subtype is not None:
            check_texts(self, "subtype")
        object.__setattr__(self, "attributes", text_attributes(self.attributes))
        object.__setattr__(self, "source_chunk_ids", chunk_ids(self.source_chunk_ids))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "entity_id": self.entity_id,
            "chunk_id": self.chunk_id,
            "document_id": self.document_id,
            "name": self.name,
            "type": self.type,
            "subtype": self.subtype,
            "description": self.description,
            "attributes": dict(self.attributes),
            "source_chunk_ids": list(self.source_chunk_ids),
        }

    def to_json(self) -> str:
        """`to_dict` as compact JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))

    def to_json_bytes(self) -> bytes:
        """`to_json` in UTF-8."""
        return self.to_json().encode("utf-8", "replace")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExtractedEntity:
        """From what `to_dict` gave."""
        return cls(**known_fields(cls, data))

    @classmethod
    def from_json(cls, data: str | bytes) -> ExtractedEntity:
        """From what `to_json` or `to_json_bytes` gave."""
        return cls.from_dict(json.loads(data))

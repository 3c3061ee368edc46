"""The documents of a knowledge base: those that go in, and the listing of those that are in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from heta_framework.common.stores.fields import required_text


@dataclass(frozen=True)
class SourceDocument:
    """A raw document that a knowledge base is to hold; give them as the initial artifact ``source_documents``.

    Attributes:
        key: where its bytes lie in the object store.
        document_id: the caller's own id, returned with every result; None for ``doc_`` + 16 hex of the content's hash.
        media_type: e.g. ``text/html``; decides on the parser before the key's suffix does.
        metadata: JSON-safe values, returned with every result under ``document_metadata``.
    """

    key: str
    document_id: str | None = None
    media_type: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", required_text("key", self.key))
        if self.document_id is not None:
            object.__setattr__(self, "document_id", required_text("document_id", self.document_id))
        object.__setattr__(self, "metadata", dict(self.metadata))

    @classmethod
    def of(cls, value: SourceDocument | Mapping[str, Any] | str) -> SourceDocument:
        """From a key, from a dict with the fields' names, or itself."""
        if isinstance(value, SourceDocument):
            return value
        return cls(value) if isinstance(value, str) else cls(**value)


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document that is in: what it was made from.

    Attributes:
        document_id: unique in the knowledge base.
        parse_key: key of its parsed pages in the step cache.
    """

    document_id: str
    key: str
    name: str
    file_type: str
    content_sha256: str
    parse_key: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return asdict(self)

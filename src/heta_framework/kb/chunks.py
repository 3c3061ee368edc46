"""A chunk: a piece of one page of one document, small enough to be embedded, found and quoted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


class _WithHash:
    """Room for the hash of a text, which several steps of a build ask for; it is no field."""

    __slots__ = ("_text_sha256",)
    _text_sha256: str


@dataclass(frozen=True, slots=True)
class Chunk(_WithHash):
    """A piece of text with its provenance.

    Attributes:
        chunk_id: unique in the knowledge base; see `make_chunk_id`.
        object_key, object_name, object_type: the raw document's key, file name and type.
        content_sha256: of the raw document's bytes.
        page_index: the page of the document, from 0.
        chunk_index: position in the document, from 0.
        char_start, char_end: where the text stands in its page's text, in code points.
        token_start, token_end: the same in tokens of the page; with an encoding by characters both pairs agree.
        document_metadata: what the caller said of the document.
    """

    chunk_id: str
    document_id: str
    object_key: str
    object_name: str
    object_type: str
    content_sha256: str
    page_index: int
    chunk_index: int
    text: str
    char_start: int
    char_end: int
    token_start: int
    token_end: int
    parent_chunk_ids: tuple[str, ...] = ()
    heading_path: tuple[str, ...] = ()
    document_metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Chunk:
        """From what `to_dict` gave and JSON kept."""
        return cls(
            **{
                **data,
                "parent_chunk_ids": tuple(data.get("parent_chunk_ids", ())),
                "heading_path": tuple(data.get("heading_path", ())),
            }
        )

    @property
    def text_sha256(self) -> str:
        """Hash of the text: the key of its embedding and of what was extracted from it."""
        try:
            return self._text_sha256
        except AttributeError:
            digest = text_sha256(self.text)
            object.__setattr__(self, "_text_sha256", digest)
            return digest


def text_sha256(text: str) -> str:
    """Hex digest of a text in UTF-8; a lone surrogate counts as the replacement character."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def make_chunk_id(document_id: str, page_index: int, chunk_index: int, text: str) -> str:
    """``chunk_`` + 16 hex of the sha256 of document id, page, index and text, joined by newlines."""
    joined = "\n".join((document_id, str(page_index), str(chunk_index), text))
    return f"chunk_{text_sha256(joined)[:16]}"

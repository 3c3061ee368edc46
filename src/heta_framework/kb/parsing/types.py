"""What a parser is given and what it makes: the source of a document, and its pages of text."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from heta_framework.common.stores.fields import required_text
from heta_framework.kb.steps.issues import IssueSeverity

_SHA256 = re.compile("[0-9a-fA-F]{64}")
_ID_LENGTH = 16


class Heading(NamedTuple):
    """Where a section of a page begins, in code points, and the headings above its text, outermost first."""

    start: int
    path: tuple[str, ...]


@dataclass(frozen=True)
class ParseIssue:
    """Something of the document that did not become text.

    Attributes:
        code: a stable word for programs, e.g. ``no_text_layer``.
        message: a sentence for people, without the document's name.
    """

    code: str
    message: str
    severity: IssueSeverity = "warning"


@dataclass(frozen=True)
class ParsedSource:
    """The raw document that is parsed.

    Attributes:
        key: its key in the object store.
        name: its file name.
        file_type: e.g. ``pdf``; what decides on the parser.
        content_sha256: 64 hex digits over its bytes.
    """

    key: str
    name: str
    file_type: str
    content_sha256: str

    def __post_init__(self) -> None:
        for name in ("key", "name", "file_type"):
            object.__setattr__(self, name, required_text(name, getattr(self, name)))
        if not _SHA256.fullmatch(self.content_sha256):
            raise ValueError("content_sha256 must be a full SHA-256 hex digest")


@dataclass(frozen=True)
class ParsedPage:
    """One page of text.

    Attributes:
        page_index: from 0.
        headings: where the page's sections begin, in ascending order; empty where the format has no headings.
    """

    page_index: int
    text: str
    headings: tuple[Heading, ...] = ()

    def __post_init__(self) -> None:
        if self.page_index < 0:
            raise ValueError("page_index must not be negative")
        object.__setattr__(self, "headings", tuple(Heading(start, tuple(path)) for start, path in self.headings))

    def to_dict(self) -> dict[str, Any]:
        """The fields; ``headings`` only where there are some."""
        fields: dict[str, Any] = {"page_index": self.page_index, "text": self.text}
        return (
            fields | {"headings": [[start, list(path)] for start, path in self.headings]} if self.headings else fields
        )


@dataclass(frozen=True)
class ParsedTextContent:
    """The document as a text of its own format, e.g. Markdown."""

    text: str
    media_type: str

    def __post_init__(self) -> None:
        for name in ("text", "media_type"):
            required_text(name, getattr(self, name))

    def to_dict(self) -> dict[str, str]:
        """The fields."""
        return {"text": self.text, "media_type": self.media_type}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ParsedTextContent:
        """From what `to_dict` gave."""
        return cls(**data)


@dataclass(frozen=True)
class ParsedDocument:
    """A document as pages of text.

    Attributes:
        pages: at least one; an empty document has one empty page.
        issues: what of it did not become text.
    """

    document_id: str
    source: ParsedSource
    pages: list[ParsedPage]
    original_content: ParsedTextContent | None = None
    issues: tuple[ParseIssue, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "document_id", required_text("document_id", self.document_id))
        object.__setattr__(self, "pages", list(self.pages))
        if not self.pages:
            raise ValueError("pages must not be empty")

    def to_dict(self) -> dict[str, Any]:
        """All but the issues, JSON-safe."""
        return {
            "document_id": self.document_id,
            "source": dict(vars(self.source)),
            "pages": [page.to_dict() for page in self.pages],
            "original_content": self.original_content.to_dict() if self.original_content else None,
        }

    def to_json(self) -> str:
        """`to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def to_json_bytes(self) -> bytes:
        """`to_json` in UTF-8."""
        return self.to_json().encode()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ParsedDocument:
        """From what `to_dict` gave."""
        original = data.get("original_content")
        return cls(
            data["document_id"],
            ParsedSource(**data["source"]),
            [ParsedPage(**page) for page in data["pages"]],
            ParsedTextContent.from_dict(original) if original else None,
        )

    @classmethod
    def from_json(cls, data: str | bytes) -> ParsedDocument:
        """From what `to_json` gave."""
        return cls.from_dict(json.loads(data))


def compute_content_sha256(data: bytes) -> str:
    """Hex digest over a document's bytes."""
    return hashlib.sha256(data).hexdigest()


def make_document_id(content_sha256: str) -> str:
    """``doc_`` + 16 hex of the content's hash."""
    return f"doc_{content_sha256[:_ID_LENGTH]}"


def make_parsed_source(*, key: str, name: str, file_type: str, data: bytes) -> ParsedSource:
    """The source of a document with these bytes."""
    return ParsedSource(key, name, file_type, compute_content_sha256(data))


def document_of(source: ParsedSource, pages: list[ParsedPage], issues: tuple[ParseIssue, ...] = ()) -> ParsedDocument:
    """The parsed document of a source, called after its content."""
    return ParsedDocument(make_document_id(source.content_sha256), source, pages, issues=issues)

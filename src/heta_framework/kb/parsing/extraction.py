"""Extractors: services or models of the caller's own that turn a document into blocks of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Protocol, runtime_checkable

from heta_framework.kb.parsing.types import ParsedDocument, ParsedPage, ParsedSource, document_of


@dataclass(frozen=True)
class DocumentInput:
    """What an extractor is given."""

    data: bytes
    filename: str
    media_type: str | None = None


@dataclass(frozen=True)
class ExtractionOptions:
    """What is wanted of an extractor; one that cannot passes it over."""

    language: str = "ch"
    enable_table: bool = True
    enable_formula: bool = True
    include_images: bool = True


@dataclass(frozen=True)
class ExtractedBlock:
    """A piece of the document: a paragraph, a table ..., on a page from 0."""

    kind: str
    text: str = ""
    page_index: int | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ExtractedDocument:
    """What an extractor makes. Blocks that say their page go before ``markdown``, and that before ``text``."""

    markdown: str = ""
    text: str = ""
    blocks: Sequence[ExtractedBlock] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)


@runtime_checkable
class DocumentExtractorProtocol(Protocol):
    """Turns a document into text."""

    async def extract(self, document: Any, options: Any = None) -> Any:
        """An `ExtractedDocument`, or anything with its attributes, of a `DocumentInput`."""
        ...


async def extracted_document(
    extractor: DocumentExtractorProtocol, source: ParsedSource, data: bytes, options: object, media_type: str
) -> ParsedDocument:
    """The document as an extractor sees it; a page an element of its blocks' pages, or one page."""
    given = DocumentInput(data, PurePosixPath(source.name).name, media_type)
    found = await extractor.extract(given, options)
    pages: dict[int, list[str]] = {}
    for block in found.blocks:
        if block.page_index is not None and block.text:
            pages.setdefault(block.page_index, []).append(block.text)
    if not pages:
        return document_of(source, [ParsedPage(0, found.markdown or found.text)])
    return document_of(source, [ParsedPage(index, "\n\n".join(pages[index])) for index in sorted(pages)])


def extractor_identity(extractor: object) -> str:
    """What tells extractors apart whose results differ; see `parser_identity`."""
    kind = type(extractor)
    version, config = getattr(extractor, "version", None), getattr(extractor, "config", None)
    return f"{kind.__module__}.{kind.__qualname__}|{version!r}|{config!r}"

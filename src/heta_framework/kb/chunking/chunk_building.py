"""Chunks of documents, from their pages and the spans that the splitter found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from heta_framework.kb.chunking.span import Span
from heta_framework.kb.chunking.splitter import Splitter
from heta_framework.kb.chunks import Chunk, make_chunk_id
from heta_framework.kb.derived.fast_json import decode_json, encode_json
from heta_framework.kb.documents import DocumentEntry
from heta_framework.kb.parsing.types import ParsedPage

Pages = tuple[ParsedPage, ...]
PageSpans = list[list[Span]]
"""The spans of a document, page by page."""


def split_documents(splitter: Splitter, documents: Sequence[Pages]) -> list[PageSpans]:
    """The spans of parsed documents; all their pages go through the splitter together."""
    spans = iter(splitter.split([page.text for pages in documents for page in pages]))
    return [[next(spans) for _ in pages] for pages in documents]


def encoded_spans(pages: PageSpans) -> bytes:
    """For the step cache."""
    return encode_json(pages)


def decoded_spans(data: bytes) -> PageSpans:
    """From the step cache."""
    return [[Span(*numbers) for numbers in page] for page in decode_json(data)]


def document_chunks(entry: DocumentEntry, pages: Pages, page_spans: PageSpans) -> Iterator[Chunk]:
    """The chunks of a document, in order."""
    index = 0
    for page, spans in zip(pages, page_spans, strict=True):
        for span in spans:
            yield _chunk(entry, page, index, span)
            index += 1


def _chunk(entry: DocumentEntry, page: ParsedPage, index: int, span: Span) -> Chunk:
    text = page.text[span.char_start : span.char_end]
    return Chunk(
        chunk_id=make_chunk_id(entry.document_id, page.page_index, index, text),
        document_id=entry.document_id,
        object_key=entry.key,
        object_name=entry.name,
        object_type=entry.file_type,
        content_sha256=entry.content_sha256,
        page_index=page.page_index,
        chunk_index=index,
        text=text,
        char_start=span.char_start,
        char_end=span.char_end,
        token_start=span.token_start,
        token_end=span.token_end,
        heading_path=_heading_path(page, span.char_start),
        document_metadata=entry.metadata,
    )


def _heading_path(page: ParsedPage, start: int) -> tuple[str, ...]:
    """The headings above the chunk's beginning."""
    above = bisect_right(page.headings, start, key=lambda heading: heading.start)
    return page.headings[above - 1].path if above else ()

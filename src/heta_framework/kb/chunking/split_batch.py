"""Splitting a batch of documents: all that computes, for one hop to a worker thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heta_framework.kb.chunking.chunk_building import (
    Pages,
    PageSpans,
    decoded_spans,
    document_chunks,
    encoded_spans,
    split_documents,
)
from heta_framework.kb.chunking.splitter import Splitter
from heta_framework.kb.derived.chunk_packs import chunk_records
from heta_framework.kb.derived.packs import Record
from heta_framework.kb.documents import DocumentEntry
from heta_framework.kb.parsing.parse_record import decoded_pages


class SplitBatch:
    """The computing of one batch of documents."""

    def __init__(
        self,
        splitter: Splitter,
        entries: Sequence[DocumentEntry],
        parsed: Mapping[str, bytes],
        spans: Mapping[str, bytes],
    ) -> None:
        self._splitter = splitter
        self._entries = entries
        self._parsed = parsed
        self._known = spans
        self.fresh: dict[str, bytes] = {}

    def records(self) -> list[Record]:
        """The chunks as records; ``fresh`` then holds the spans that were not known."""
        parsed = {key: decoded_pages(data) for key, data in self._parsed.items()}
        spans = self._all_spans(parsed)
        return [
            record
            for entry in self._entries
            for record in chunk_records(document_chunks(entry, parsed[entry.parse_key], spans[entry.parse_key]))
        ]

    def _all_spans(self, parsed: Mapping[str, Pages]) -> dict[str, PageSpans]:
        spans = {key: decoded_spans(data) for key, data in self._known.items()}
        todo = [key for key in parsed if key not in spans]
        made = split_documents(self._splitter, [parsed[key] for key in todo])
        self.fresh = {key: encoded_spans(found) for key, found in zip(todo, made, strict=True)}
        return spans | dict(zip(todo, made, strict=True))

"""One tantivy index: records in, ranked records out. The only place that talks to tantivy's writer and searcher.

tantivy scores with BM25, k1 = 1.2 and b = 0.75 (both fixed by the library), document lengths rounded to its 256 steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from pathlib import Path
from typing import NamedTuple

import tantivy

from heta_framework.common.stores.returned_memory import return_unused_memory
from heta_framework.common.stores.text_index.analysis import Analysis
from heta_framework.common.stores.text_index.errors import explained

_HEAP_BYTES = 15_000_000  # tantivy's minimum for a thread
_MANY_ENTRIES = 1_000  # worth a second thread, and giving memory back
_MOST_TERMS = 1024
_TERMS_A_QUERY = 1_000
_SPARE_HITS = 8  # asked for beyond k, so that a tie at the last place rarely needs a second search
_SHOULD, _MUST = tantivy.Occur.Should, tantivy.Occur.Must


class Entry(NamedTuple):
    """One record: its id, the text to analyse, bytes to give back with a hit, and words that a search may demand."""

    id: str
    text: str
    payload: bytes = b""
    facets: Sequence[str] = ()


Restore = Callable[[str, bytes], Entry]
"""Makes an entry again of its id and payload."""


class Hit(NamedTuple):
    """One found record."""

    id: str
    score: float
    payload: bytes


class Segments:
    """A tantivy index in memory, or in a folder where every `write` is durable before it returns."""

    def __init__(self, analysis: Analysis, folder: Path | None = None) -> None:
        self._folder = folder
        with explained(folder):
            self._index = tantivy.Index(_schema(analysis), str(folder) if folder else None)
        self._index.register_tokenizer(analysis.tokenizer_name, analysis.analyzer)

    def write(
        self, entries: Iterable[Entry] = (), *, deleted: Sequence[str] = (), restored: Restore | None = None
    ) -> None:
        """Delete ids, then add entries, in one commit; the writer and its threads are gone when this returns.

        Args:
            restored: makes the entry again of a record's id and payload. With it the segments that held what is deleted
                are written anew from the records that stay, so that nothing of the deleted ones is left in files or
                word statistics; without it they stay there until tantivy merges them away.

        Raises:
            TextIndexError: another process is writing to the folder, or the index is damaged.
        """
        with explained(self._folder):
            self._write(entries, deleted, self._neighbours(deleted, restored) if restored and deleted else ())
            self._index.reload()

    def view(self) -> SegmentsView:
        """The committed state; later writes to this index do not change it."""
        return SegmentsView(self._index.searcher(), self._index.schema)

    def _neighbours(self, deleted: Sequence[str], restored: Restore) -> Iterator[Entry]:
        """The records that stay of the segments that hold some of `deleted`: without them those segments are empty."""
        searcher, schema = self._index.searcher(), self._index.schema
        if not searcher.num_docs:
            return
        going = {
            (address.segment_ord, address.doc)
            for start in range(0, len(deleted), _TERMS_A_QUERY)
            for _, address in searcher.search(
                tantivy.Query.term_set_query(schema, "id", list(deleted[start : start + _TERMS_A_QUERY])),
                searcher.num_docs,
                count=False,
            ).hits
        }
        segments = {segment for segment, _ in going}
        if not segments:
            return
        for _, address in searcher.search(tantivy.Query.all_query(), searcher.num_docs, count=False).hits:
            if address.segment_ord in segments and (address.segment_ord, address.doc) not in going:
                document = searcher.doc(address)
                yield restored(str(document.get_first("id")), bytes(document.get_first("payload") or b""))

    def _write(self, entries: Iterable[Entry], deleted: Iterable[str], moved: Iterable[Entry]) -> None:
        threads = 2 if isinstance(entries, Sized) and len(entries) >= _MANY_ENTRIES else 1
        writer = self._index.writer(threads * _HEAP_BYTES, threads)
        written = 0
        try:
            for record_id in deleted:
                writer.delete_documents_by_term("id", record_id)
            for entry in moved:
                writer.delete_documents_by_term("id", entry.id)
                writer.add_document(_document(entry))
            for entry in entries:
                writer.add_document(_document(entry))
                written += 1
            writer.commit()
        finally:
            writer.wait_merging_threads()
        if written >= _MANY_ENTRIES:
            return_unused_memory()


class SegmentsView:
    """An immutable state of an index."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        self._searcher = searcher
        self._schema = schema

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def best(
        self,
        terms: list[str],
        k: int,
        accept: Callable[[Hit], bool] | None = None,
        *,
        facets: Sequence[str] = (),
    ) -> list[Hit]:
        """The k best records with any of `terms`, equal scores in ascending order of id.

        Only those that `accept` lets through and that have all `facets`; neither changes a score.
        """
        present = self._present(terms)
        if not present or not len(self):
            return []
        query = self._with_all(facets, self._any_of(present))
        limit = min(len(self), k + _SPARE_HITS)
        while True:
            found, settled = self._walk(query, limit, k, accept)
            if settled or limit >= len(self):
                return sorted(found, key=lambda hit: (-hit.score, hit.id))[:k]
            limit = min(len(self), limit * 4)

    def _walk(
        self, query: tantivy.Query, limit: int, k: int, accept: Callable[[Hit], bool] | None
    ) -> tuple[list[Hit], bool]:
        """Accepted hits among the first `limit`, and whether nothing beyond them can belong to the best k."""
        found: list[Hit] = []
        ranked = self._searcher.search(query, limit, count=False).hits
        for score, address in ranked:
            if len(found) >= k and score < found[k - 1].score:
                return found, True
            hit = self._hit(score, address)
            if accept is None or accept(hit):
                found.append(hit)
        return found, len(ranked) < limit

    def _hit(self, score: float, address: tantivy.DocAddress) -> Hit:
        document = self._searcher.doc(address)
        return Hit(str(document.get_first("id")), score, bytes(document.get_first("payload") or b""))

    def _any_of(self, terms: list[str]) -> tantivy.Query:
        return tantivy.Query.boolean_query(
            [(_SHOULD, tantivy.Query.term_query(self._schema, "body", term, "freq")) for term in terms]
        )

    def _with_all(self, facets: Sequence[str], query: tantivy.Query) -> tantivy.Query:
        if not facets:
            return query
        demanded = [tantivy.Query.term_query(self._schema, "facets", facet, "basic") for facet in facets]
        silent = [(_MUST, tantivy.Query.const_score_query(one, 0.0)) for one in demanded]
        return tantivy.Query.boolean_query([(_MUST, query), *silent])

    def _present(self, terms: list[str]) -> list[str]:
        """The terms to search: all of them, or of a text of book length the rarest that occur at all."""
        if len(terms) <= _MOST_TERMS:
            return terms
        frequency = {term: self._searcher.doc_freq("body", term) for term in terms}
        return sorted((term for term in terms if frequency[term]), key=lambda term: (frequency[term], term))[
            :_MOST_TERMS
        ]


def _schema(analysis: Analysis) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", tokenizer_name=analysis.tokenizer_name, index_option="freq")
    builder.add_text_field("facets", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("payload", stored=True)
    return builder.build()


def _document(entry: Entry) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("id", entry.id)
    document.add_text("body", Analysis.clean(entry.text))
    for facet in entry.facets:
        document.add_text("facets", facet)
    if entry.payload:
        document.add_bytes("payload", entry.payload)
    return document

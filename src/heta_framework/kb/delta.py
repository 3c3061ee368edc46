"""What one run of the steps has to do: build everything, or bring a built knowledge base up to date.

A build is the delta that adds all documents to nothing. An update adds and removes some: each step does its own part
and says in the delta what that means for the steps behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from heta_framework.kb.documents import SourceDocument


@dataclass
class Delta:
    """The work of one run.

    Attributes:
        full: a build from nothing: a step first empties what it makes. Else an update: a step keeps what it made.
        documents: raw documents to add; None in a build: the recipe's own rule decides (``source_documents``,
            ``source_keys``, or everything below the raw prefix).
        removed_document_ids: documents to remove.
        added_document_keys: packs with the listing of added documents; set by ParseDocuments.
        added_chunk_keys: packs with the added chunks; set by SplitDocuments.
        added_chunk_count: how many chunks these are; None where SplitDocuments has not run, as in a resumed build.
        removed_chunk_ids: chunks that go; set by SplitDocuments.
    """

    full: bool = True
    documents: tuple[SourceDocument, ...] | None = None
    removed_document_ids: frozenset[str] = frozenset()
    added_document_keys: tuple[str, ...] = ()
    added_chunk_keys: tuple[str, ...] = ()
    added_chunk_count: int | None = None
    removed_chunk_ids: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def update(cls, *, add: Iterable[SourceDocument] = (), remove: Iterable[str] = ()) -> Delta:
        """An update that removes, then adds; a document that is added again replaces itself."""
        return cls(full=False, documents=tuple(add), removed_document_ids=frozenset(remove))

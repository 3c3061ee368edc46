"""Which raw documents a knowledge base is made of, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.parsing.types import make_document_id


async def wanted_documents(
    context: StepExecutionContext, objects: ObjectStoreProtocol, raw_prefix: str
) -> list[SourceDocument]:
    """The documents to add, in the order of their keys.

    Those of the update; else of the artifact ``source_documents``; else of ``source_keys``; else everything below the
    raw prefix.

    Raises:
        ValueError: two of them have the same id; the message names both keys.
    """
    given: Iterable[SourceDocument | Mapping[str, Any] | str] | None = context.delta.documents
    for artifact in ("source_documents", "source_keys"):
        given = context.artifacts.get(artifact) if given is None else given
    if given is None:
        given = [info.key for info in await objects.list(raw_prefix)]
    documents = _once_each(SourceDocument.of(value) for value in given)
    _check_ids(documents)
    return sorted(documents, key=lambda document: document.key)


def _once_each(documents: Iterable[SourceDocument]) -> list[SourceDocument]:
    """The same key without an id, or with the same id, counts once; the last one says its metadata."""
    seen = {(document.key, document.document_id): document for document in documents}
    return list(seen.values())


def _check_ids(documents: Sequence[SourceDocument]) -> None:
    keys: dict[str, str] = {}
    for document in documents:
        if document.document_id is None:
            continue
        other = keys.setdefault(document.document_id, document.key)
        if other != document.key:
            raise ValueError(
                f"document id {document.document_id!r} is given to two documents: {other} and {document.key}"
            )


class DocumentIds:
    """Gives every document an id of its own: the caller's, else one made of its content."""

    def __init__(self, taken: Iterable[str], documents: Iterable[SourceDocument]) -> None:
        """Start.

        Args:
            taken: ids of documents that are in and stay.
            documents: those that will come; the ids that callers gave them are kept free.
        """
        self._taken = {*taken, *(document.document_id for document in documents if document.document_id)}

    def of(self, document: SourceDocument, content_sha256: str) -> str:
        """The id; of documents with equal bytes the second is ``doc_..._2``."""
        if document.document_id is not None:
            return document.document_id
        base = candidate = make_document_id(content_sha256)
        number = 1
        while candidate in self._taken:
            number += 1
            candidate = f"{base}_{number}"
        self._taken.add(candidate)
        return candidate

"""The bytes of documents, several at a time where they have to be fetched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from heta_framework.common.models.many import in_order
from heta_framework.evaluation.document_content import ContentReader
from heta_framework.evaluation.types import BenchmarkDocument

_FETCHED_AT_ONCE = 8


async def read_contents(
    reader: ContentReader, documents: Sequence[BenchmarkDocument]
) -> AsyncIterator[tuple[Sequence[BenchmarkDocument], list[bytes]]]:
    """Documents with their contents, in order; a few at a time where they are not at hand, so that they fit in memory.

    Raises:
        DocumentContentError: the bytes of one cannot be had.
    """
    at_hand = all(document.data is not None for document in documents)
    at_once = len(documents) if at_hand else _FETCHED_AT_ONCE
    for start in range(0, len(documents), at_once):
        group = documents[start : start + at_once]
        if at_hand:
            yield group, [await reader.read(document) for document in group]
        else:
            yield group, await in_order(reader.read(document) for document in group)

"""The results of a query as a saved recall: the document behind each, its score, and its text, stored once."""

from __future__ import annotations

import math
from collections.abc import Iterator

from heams.orchestration.results import SavedRecall
from heta_framework.common.durable_lines import TextBook
from heta_framework.common.text.tokens import count_tokens
from heta_framework.evaluation.trec.documents import document_ids_of
from heta_framework.kb.search.types import QueryResponse


def recalled(query: str, response: QueryResponse, texts: TextBook, seconds: float) -> SavedRecall:
    """The recall. Ids are the benchmark's own ones of the documents; a result that names none has its own id."""
    return SavedRecall(
        query=query,
        ids=tuple(
            documents[0] if documents else result.id
            for result, documents in zip(response.results, recalled_documents(response), strict=True)
        ),
        scores=tuple(_finite(result.score) for result in response.results),
        tokens=tuple(count_tokens(result.text) for result in response.results),
        texts=tuple(texts.id_of(result.text) for result in response.results),
        seconds=seconds,
    )


def recalled_documents(response: QueryResponse) -> Iterator[tuple[str, ...]]:
    """For each result the documents that it comes from."""
    yield from (document_ids_of(result) for result in response.results)


def _finite(score: float | None) -> float | None:
    return score if score is not None and math.isfinite(score) else None

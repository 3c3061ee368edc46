"""Which documents a response found: from results, which are chunks of documents, to a ranking of document ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from heta_framework.evaluation.trec.ranking import trec_order
from heta_framework.kb.search.types import QueryResponse, QueryResult

__all__ = ["document_ids_of", "document_scores", "ranked_documents"]

_BY_BENCHMARK = ("beir_document_id", "benchmark_document_id", "beir_document_ids", "benchmark_document_ids")
_OWN = ("document_id", "document_ids")
_KEYS = ("source_key", "object_key", "source_keys", "object_keys")
_MADE_FROM_CONTENT = re.compile(r"doc_[0-9a-f]{16}")
_RARE = frozenset((*_BY_BENCHMARK, "document_ids", "origin"))
_RAW_KEY_HEAD = 4  # raw/benchmarks/{benchmark}/{split}/{document id}/{file name}


def document_ids_of(result: QueryResult) -> tuple[str, ...]:
    """The benchmark's ids of the documents that a result comes from, each once; empty where nothing tells them.

    The first of these that says anything decides:

    1. ``beir_document_id``, ``benchmark_document_id`` and their plurals, in ``source``, ``source["origin"]`` and
       ``metadata``: whoever writes them means a benchmark's id;
    2. ``document_id`` and ``document_ids`` in ``source``, unless the id was made from the document's content
       (``doc_`` and 16 hex digits), as knowledge bases do for documents without an id of their own;
    3. ``source_key``, ``object_key`` and their plurals in ``source`` and ``origin``, and ``origin_source_key`` in
       ``metadata``, read as ``raw/benchmarks/{benchmark}/{split}/{document id}/{file}`` or
       ``.../beir/{data set}/{document id}[/{file}]``; the id may hold ``/``;
    4. the ids made from content.
    """
    document = result.source.get("document_id")
    if (  # nearly always so, and asked for every result of every response
        type(document) is str
        and document[:4] not in {"", "doc_"}
        and result.source.keys().isdisjoint(_RARE)
        and result.metadata.keys().isdisjoint(_BY_BENCHMARK)
    ):
        return (document,)
    return _named(_BY_BENCHMARK, (*_sources(result), result.metadata)) or _own_or_from_keys(result)


def document_scores(results: Sequence[QueryResult]) -> dict[str, float]:
    """The score of each document: its best result's.

    Where a result has no score (or NaN), scores cannot be compared: every result then counts 1 / its rank.
    """
    best: dict[str, float] = {}
    for result, score in zip(results, _scores(results), strict=True):
        for document in document_ids_of(result):
            known = best.get(document)
            if known is None or score > known:
                best[document] = score
    return best


def ranked_documents(response: QueryResponse) -> tuple[tuple[str, float], ...]:
    """(document id, score) of every document that the response found, best first, in `trec_order`."""
    scores = document_scores(response.results)
    return tuple((document, scores[document]) for document in trec_order(scores))


def _scores(results: Sequence[QueryResult]) -> list[float]:
    given = [result.score for result in results if result.score is not None and not isnan(result.score)]
    return given if len(given) == len(results) else [1 / rank for rank in range(1, len(results) + 1)]


def _own_or_from_keys(result: QueryResult) -> tuple[str, ...]:
    own = _named(_OWN, (result.source,))
    if own and not all(map(_MADE_FROM_CONTENT.fullmatch, own)):
        return own
    return _from_keys(result) or own


def _sources(result: QueryResult) -> Iterator[Mapping[str, Any]]:
    yield result.source
    origin = result.source.get("origin")
    if isinstance(origin, Mapping):
        yield origin


def _named(names: Sequence[str], places: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for place in places for name in names for text in _texts(place.get(name))))


def _from_keys(result: QueryResult) -> tuple[str, ...]:
    keys = [text for place in _sources(result) for name in _KEYS for text in _texts(place.get(name))]
    keys += _texts(result.metadata.get("origin_source_key"))
    ids = (_id_in_key(key) for key in keys)
    return tuple(dict.fromkeys(found for found in ids if found))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, list | tuple | set | frozenset):
        return [one for one in value if isinstance(one, str) and one]
    return [str(value)] if isinstance(value, int) and not isinstance(value, bool) else []


def _id_in_key(key: str) -> str | None:
    segments = key.split("/")
    if segments[:2] == ["raw", "benchmarks"]:
        return "/".join(segments[_RAW_KEY_HEAD:-1]) or None
    if "beir" in segments:
        behind = segments[segments.index("beir") + 2 :]
        return "/".join(behind[:-1] or behind) or None
    return None

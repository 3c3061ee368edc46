"""Where a result comes from, as far as it says: the documents, raw keys, chunks and fields that a label may name.

A result of a chunk has one place. A fact of a knowledge graph that lists its passages has one for each, so that a
label's document and page are looked for in the same passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.evaluation.trec.documents import document_ids_of
from heta_framework.kb.search.types import QueryResult

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Place:
    """One place. ``fields`` are what a label's other keys are compared with."""

    document_ids: frozenset[str]
    source_keys: frozenset[str]
    chunk_ids: frozenset[str]
    fields: Mapping[str, Any]

    @property
    def ids(self) -> frozenset[str]:
        """Everything that a ``reference_id`` may name."""
        return self.document_ids | self.source_keys | self.chunk_ids


def places_of(result: QueryResult) -> tuple[Place, ...]:
    """The places of a result: one, or one for each passage that a fact lists."""
    passages = result.metadata.get("evidence")
    rows = [row for row in passages if isinstance(row, Mapping)] if isinstance(passages, list | tuple) else []
    return tuple(_place_of_passage(row, result) for row in rows) or (_place_of_result(result),)


def _place_of_result(result: QueryResult) -> Place:
    candidates = list(_candidates(result))
    return Place(
        document_ids=frozenset(document_ids_of(result)) | _named(candidates, "document_id"),
        source_keys=_named(candidates, "source_key") | _named(candidates, "object_key"),
        chunk_ids=frozenset((result.id,)) | _named(candidates, "chunk_id"),
        fields=_fields(result.source),
    )


def _candidates(result: QueryResult) -> Iterator[Mapping[str, Any]]:
    """The source, what it says of its origin, and the origin that a merged result's metadata name."""
    yield result.source
    origin = result.source.get("origin")
    if isinstance(origin, Mapping):
        yield origin
    if result.metadata.get("origin_source_key") is not None:
        yield {"object_key": result.metadata["origin_source_key"]}


def _place_of_passage(row: Mapping[str, Any], result: QueryResult) -> Place:
    held = row.get("metadata")
    return Place(
        document_ids=_named([row], "document_id"),
        source_keys=_named([row], "source_key") | _named([row], "object_key"),
        chunk_ids=_named([row], "chunk_id") | {result.id},
        fields=_fields({**result.source, **(held if isinstance(held, Mapping) else _NOTHING), **row}),
    )


def _fields(source: Mapping[str, Any]) -> Mapping[str, Any]:
    """A source's fields, and under them those that the benchmark itself gave the document."""
    own = source.get("document_metadata")
    return {**own, **source} if isinstance(own, Mapping) else source


def _named(sources: list[Mapping[str, Any]], name: str) -> frozenset[str]:
    """The values under a name and its plural."""
    values = [value for source in sources for key in (name, f"{name}s") for value in _each(source.get(key))]
    return frozenset(str(value) for value in values)


def _each(value: object) -> tuple[object, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list | tuple | set | frozenset) else (value,)

"""Facts as results of a search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heta_framework.kb.graphing.fact_texts import entity_text, relation_text
from heta_framework.kb.graphing.searching.evidence import passage_metadata
from heta_framework.kb.graphing.searching.fact_hits import FactHit
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES
from heta_framework.kb.search.types import QueryResult

if TYPE_CHECKING:
    from heta_framework.kb.graphing.storing.graph_reader import Row

_PLACE_FIELDS = ("page_index", "chunk_index", "char_start", "char_end", "content_sha256", "document_metadata")
_ENTITY_FIELDS = ("entity_name", "entity_type", "entity_subtype")
_RELATION_FIELDS = (
    "source_entity_id",
    "target_entity_id",
    "source_entity_name",
    "target_entity_name",
    "relation_type",
    "relation_name",
)


def fact_result(hit: FactHit, row: Row, passages: Sequence[Row], asset_key: str) -> QueryResult:
    """The result of a fact.

    Args:
        passages: its evidence that is shown, best first, at least one.
    """
    evidence = [_evidence(passage) for passage in passages]
    is_entity = hit.kind is ENTITIES
    fields = _ENTITY_FIELDS if is_entity else _RELATION_FIELDS
    metadata = {
        "fact_type": hit.kind.name,
        "matched_by": hit.matched_by,
        **{name: row[name] for name in fields},
        "attributes": json.loads(row["attributes"]),
        "evidence": evidence,
        "search_asset": asset_key,
        "vector_metadata": dict(hit.vector_metadata),
    }
    text = _entity_text(row) if is_entity else _relation_text(row)
    return QueryResult(hit.fact_id, text, hit.score, hit.kind.name, _source(evidence), metadata)


def _evidence(passage: Row) -> dict[str, Any]:
    held = passage_metadata(passage)
    return {
        "chunk_id": passage["chunk_id"],
        "document_id": passage["document_id"],
        "source_key": passage["source_key"],
        "source_name": passage["source_name"],
        "metadata": {name: held[name] for name in _PLACE_FIELDS if name in held},
    }


def _source(evidence: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Where the first piece of evidence comes from, and all chunks that are shown."""
    first = evidence[0]
    return {
        "document_id": first["document_id"],
        "object_key": first["source_key"],
        "object_name": first["source_name"],
        "chunk_ids": tuple(one["chunk_id"] for one in evidence),
        **first["metadata"],
        "document_ids": tuple(dict.fromkeys(one["document_id"] for one in evidence)),
        "evidence_count": len(evidence),
    }


def _entity_text(row: Row) -> str:
    return entity_text(row["entity_name"], row["entity_type"], row["entity_subtype"], row["description"])


def _relation_text(row: Row) -> str:
    ends = (row["source_entity_name"], row["target_entity_name"])
    return relation_text(*ends, row["relation_name"], row["relation_type"], row["description"])

"""Entities and relations as they are stored: their table, their collection, and what is written there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.fact_texts import entity_index_text, relation_index_text
from heta_framework.kb.graphing.storing.rows import Row, entity_row, relation_row
from heta_framework.kb.graphing.storing.schema import ENTITY_COLUMNS, RELATION_COLUMNS

KindName = Literal["entity", "relation"]


@dataclass(frozen=True)
class StoredKind:
    """One of the two."""

    name: KindName
    id_field: str
    columns: tuple[str, ...]
    embed_purpose: str
    row: Callable[[Fact], Row]
    index_text: Callable[[Fact], str]
    vector_metadata: Callable[[Fact], dict[str, Any]]


def _entity_metadata(fact: Fact) -> dict[str, Any]:
    return {
        "fact_type": "entity",
        "entity_name": fact["name"],
        "entity_type": fact["type"],
        "entity_subtype": fact["subtype"],
        "document_id": fact["document_id"],
    }


def _relation_metadata(fact: Fact) -> dict[str, Any]:
    return {
        "fact_type": "relation",
        "source_entity_id": fact["source_entity_id"],
        "target_entity_id": fact["target_entity_id"],
        "source_entity_name": fact["source_entity_name"],
        "target_entity_name": fact["target_entity_name"],
        "relation_type": fact["type"],
        "relation_name": fact["name"],
        "document_id": fact["document_id"],
    }


ENTITIES = StoredKind(
    "entity", "entity_id", ENTITY_COLUMNS, "entity_graph_index", entity_row, entity_index_text, _entity_metadata
)
RELATIONS = StoredKind(
    "relation",
    "relation_id",
    RELATION_COLUMNS,
    "relation_graph_index",
    relation_row,
    relation_index_text,
    _relation_metadata,
)

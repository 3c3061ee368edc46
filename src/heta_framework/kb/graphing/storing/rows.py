"""Facts and chunks as rows of the tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.fact_texts import entity_index_text, relation_index_text
from heta_framework.kb.graphing.names import normalised_name
from heta_framework.kb.search.chunk_records import chunk_metadata

Row = dict[str, Any]


def entity_row(fact: Fact) -> Row:
    """An entity; ``digest`` is added when it is written."""
    return {
        "entity_id": fact["entity_id"],
        "entity_name": fact["name"],
        "entity_type": fact["type"],
        "entity_subtype": fact["subtype"],
        "description": fact["description"],
        "attributes": _compact(fact["attributes"]),
        "normal_name": normalised_name(fact["name"]),
        "vector_key": text_key(entity_index_text(fact)),
    }


def relation_row(fact: Fact) -> Row:
    """A relation; ``digest`` is added when it is written."""
    return {
        "relation_id": fact["relation_id"],
        "source_entity_id": fact["source_entity_id"],
        "target_entity_id": fact["target_entity_id"],
        "source_entity_name": fact["source_entity_name"],
        "target_entity_name": fact["target_entity_name"],
        "relation_type": fact["type"],
        "relation_name": fact["name"],
        "description": fact["description"],
        "attributes": _compact(fact["attributes"]),
        "vector_key": text_key(relation_index_text(fact)),
    }


def evidence_rows(kind: str, id_field: str, fact: Fact) -> list[Row]:
    """One row a chunk that states the fact."""
    return [{"fact_type": kind, "fact_id": fact[id_field], "chunk_id": one} for one in fact["source_chunk_ids"]]


def passage_row(chunk: Chunk) -> Row:
    """A chunk with its provenance."""
    return {
        "chunk_id": chunk.chunk_id,
        "document_id": chunk.document_id,
        "source_key": chunk.object_key,
        "source_name": chunk.object_name,
        "text": storable(chunk.text),
        "metadata": _compact(chunk_metadata(chunk)),
    }


def storable(text: str) -> str:
    """The text as every database takes it: PostgreSQL has no NUL, and none has lone surrogates."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode()


def text_key(text: str) -> str:
    """The key of a text's vector."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def stored(row: Mapping[str, Any]) -> Row:
    """The row with every text as databases take it."""
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}


def _compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))

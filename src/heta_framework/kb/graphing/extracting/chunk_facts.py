"""What was found in a text becomes the facts of a chunk that holds the text."""

from __future__ import annotations

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.ids import make_entity_id, make_relation_id
from heta_framework.kb.graphing.mentions import TextGraph


def chunk_facts(chunk: Chunk, graph: TextGraph) -> tuple[list[Fact], list[Fact]]:
    """The entities and the relations of the chunk, with ids of their own."""
    entities = {entity.name: _entity(chunk, graph, position) for position, entity in enumerate(graph.entities)}
    relations = (_relation(chunk, graph, position, entities) for position in range(len(graph.relations)))
    distinct = {relation["relation_id"]: relation for relation in relations}
    return list(entities.values()), list(distinct.values())


def _entity(chunk: Chunk, graph: TextGraph, position: int) -> Fact:
    entity = graph.entities[position]
    said = {
        "name": entity.name,
        "type": entity.type,
        "subtype": entity.subtype,
        "description": entity.description,
    }
    entity_id = make_entity_id(document_id=chunk.document_id, chunk_id=chunk.chunk_id, **said)  # type: ignore[arg-type]
    return {"entity_id": entity_id, **_place(chunk), **said, "attributes": dict(entity.attributes)}


def _relation(chunk: Chunk, graph: TextGraph, position: int, entities: dict[str, Fact]) -> Fact:
    relation = graph.relations[position]
    ends = {
        "source_entity_id": entities[relation.source]["entity_id"],
        "target_entity_id": entities[relation.target]["entity_id"],
    }
    said = {"type": relation.type, "name": relation.name, "description": relation.description}
    relation_id = make_relation_id(document_id=chunk.document_id, chunk_id=chunk.chunk_id, **ends, **said)
    return {
        "relation_id": relation_id,
        **_place(chunk),
        **ends,
        "source_entity_name": relation.source,
        "target_entity_name": relation.target,
        **said,
        "attributes": dict(relation.attributes),
    }


def _place(chunk: Chunk) -> Fact:
    return {
        "chunk_id": chunk.chunk_id,
        "document_id": chunk.document_id,
        "source_chunk_ids": [chunk.chunk_id],
    }

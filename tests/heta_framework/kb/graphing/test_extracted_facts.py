"""Entities and relations as values: what they refuse, how they are written, and which ids they get."""

import hashlib
from typing import Any

import pytest

from heta_framework.kb import (
    ExtractedEntity,
    ExtractedRelation,
    make_deduplicated_entity_id,
    make_deduplicated_relation_id,
    make_entity_id,
    make_relation_id,
)

ENTITY: dict[str, Any] = {
    "entity_id": "entity_1",
    "chunk_id": "chunk_1",
    "document_id": "doc_1",
    "name": "Petrel",
    "type": "ship",
    "subtype": None,
    "description": "A ferry.",
    "attributes": {"built": 1998, "": "x", "crew": " "},
    "source_chunk_ids": ("chunk_1",),
}
RELATION: dict[str, Any] = {
    "relation_id": "relation_1",
    "chunk_id": "chunk_1",
    "document_id": "doc_1",
    "source_entity_id": "entity_1",
    "target_entity_id": "entity_2",
    "source_entity_name": "Petrel",
    "target_entity_name": "Gull Island",
    "type": "route",
    "name": "sails to",
    "description": "The Petrel sails to Gull Island.",
    "attributes": {},
    "source_chunk_ids": ["chunk_1", "chunk_2"],
}


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def test_what_is_written_is_read_back() -> None:
    entity, relation = ExtractedEntity(**ENTITY), ExtractedRelation(**RELATION)
    assert entity.attributes == {"built": "1998"}
    assert relation.source_chunk_ids == ("chunk_1", "chunk_2")
    assert ExtractedEntity.from_json(entity.to_json_bytes()) == entity
    assert ExtractedRelation.from_json(relation.to_json()) == relation
    assert ExtractedEntity.from_dict({**entity.to_dict(), "member_ids": ["entity_1"]}) == entity
    assert list(entity.to_dict()) == list(ENTITY)
    assert list(relation.to_dict()) == list(RELATION)


@pytest.mark.parametrize("field", ["entity_id", "chunk_id", "document_id", "name", "type", "subtype", "description"])
def test_blank_fields_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} must not be empty"):
        ExtractedEntity(**{**ENTITY, field: " "})


def test_values_of_another_type_are_refused() -> None:
    with pytest.raises(TypeError, match="name must be a string, found int"):
        ExtractedEntity(**{**ENTITY, "name": 3})
    with pytest.raises(TypeError, match="attributes must be a mapping"):
        ExtractedEntity(**{**ENTITY, "attributes": ["a"]})
    with pytest.raises(TypeError, match="found one string"):
        ExtractedEntity(**{**ENTITY, "source_chunk_ids": "chunk_1"})
    with pytest.raises(ValueError, match="source_chunk_ids must not be empty"):
        ExtractedEntity(**{**ENTITY, "source_chunk_ids": ()})
    with pytest.raises(ValueError, match="must not contain empty values"):
        ExtractedRelation(**{**RELATION, "source_chunk_ids": ("",)})


def test_a_relation_joins_two_entities() -> None:
    with pytest.raises(ValueError, match="source_entity_id and target_entity_id must be different"):
        ExtractedRelation(**{**RELATION, "target_entity_id": "entity_1"})


def test_ids_are_hashes_of_what_facts_say() -> None:
    said = {"document_id": "D", "chunk_id": "C", "name": "N", "type": "T", "description": "X"}
    assert make_entity_id(**said, subtype=None) == f"entity_{digest('D', 'C', 'N', 'T', '', 'X')}"
    assert make_entity_id(**said, subtype="S") == f"entity_{digest('D', 'C', 'N', 'T', 'S', 'X')}"
    stated = {"document_id": "D", "chunk_id": "C", "source_entity_id": "a", "target_entity_id": "b"}
    relation_id = make_relation_id(**stated, type="T", name="N", description="X")
    assert relation_id == f"relation_{digest('D', 'C', 'a', 'b', 'T', 'N', 'X')}"


def test_ids_of_merged_facts_do_not_depend_on_the_order_of_members() -> None:
    one = make_deduplicated_entity_id(member_entity_ids=("b", "a"), name="N")
    assert (
        one == make_deduplicated_entity_id(member_entity_ids=("a", "b"), name="N") == f"entity_{digest('N', 'a', 'b')}"
    )
    other = make_deduplicated_relation_id(member_relation_ids=("b", "a"), name="N")
    assert other == f"relation_{digest('N', 'a', 'b')}"

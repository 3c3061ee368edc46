"""Relations that say the same of the same entities become one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.ids import group_id
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.joining import (
    MEMBER_IDS,
    in_order,
    joined_attributes,
    joined_descriptions,
    member_ids,
    most_common,
    provenance,
)
from heta_framework.kb.graphing.names import normalised_name

RELATION_ID = "relation_id"
_ENDS = ("source", "target")


def merge_relations_exactly(facts: Iterable[Fact], ids: IdMapping) -> list[Fact]:
    """One relation for each pair of entities, type and name, with its members' ids under ``member_ids``.

    Args:
        ids: what the relations' entities became; a relation whose ends became one, or are gone, is dropped.
    """
    groups: dict[tuple[str, ...], list[Fact]] = {}
    for fact in in_order(moved_relations(facts, ids)):
        said = (normalised_name(fact["type"]), normalised_name(fact["name"]))
        groups.setdefault((fact["source_entity_id"], fact["target_entity_id"], *said), []).append(fact)
    return [joined_relations(group_id("relation", key), members) for key, members in groups.items()]


def moved_relations(facts: Iterable[Fact], ids: IdMapping) -> Iterator[Fact]:
    """The relations between what their entities became."""
    for fact in facts:
        source = ids.end(fact["source_entity_id"], fact["source_entity_name"])
        target = ids.end(fact["target_entity_id"], fact["target_entity_name"])
        if source is not None and target is not None and source[0] != target[0]:
            yield {
                **fact,
                "source_entity_id": source[0],
                "target_entity_id": target[0],
                "source_entity_name": source[1],
                "target_entity_name": target[1],
            }


def joined_relations(relation_id: str, members: Sequence[Fact], said: Mapping[str, Any] | None = None) -> Fact:
    """The relation that stands for these, which join the same entities.

    Args:
        said: fields that take the place of what the members say, e.g. in a model's words.
    """
    first = members[0]
    if len(members) == 1 and said is None:
        return {**first, RELATION_ID: relation_id, MEMBER_IDS: member_ids(first, RELATION_ID)}
    ends = {f"{end}_entity_{field}": first[f"{end}_entity_{field}"] for field in ("id", "name") for end in _ENDS}
    fields = {
        "type": most_common([fact["type"] for fact in members]),
        "name": most_common([fact["name"] for fact in members]),
        "description": joined_descriptions(members),
        "attributes": joined_attributes(members),
        **(said or {}),
    }
    merged = [member for fact in members for member in member_ids(fact, RELATION_ID)]
    return {RELATION_ID: relation_id, **provenance(members), **ends, **fields, MEMBER_IDS: list(dict.fromkeys(merged))}

"""Entities of the same name and type become one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.ids import group_id
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

ENTITY_ID = "entity_id"


def merge_entities_exactly(facts: Iterable[Fact]) -> list[Fact]:
    """One entity for each normalised name and type, with its members' ids under ``member_ids``.

    Its id is made of the key, so that it stays when members come or go.
    """
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in in_order(facts):
        groups.setdefault((normalised_name(fact["name"]), normalised_name(fact["type"])), []).append(fact)
    return [joined_entities(group_id("entity", key), members) for key, members in groups.items()]


def joined_entities(entity_id: str, members: Sequence[Fact], said: Mapping[str, Any] | None = None) -> Fact:
    """The entity that stands for these.

    Args:
        said: fields that take the place of what the members say, e.g. in a model's words.
    """
    if len(members) == 1 and said is None:
        return {**members[0], ENTITY_ID: entity_id, MEMBER_IDS: member_ids(members[0], ENTITY_ID)}
    subtypes = [fact["subtype"] for fact in members if fact["subtype"]]
    fields = {
        "name": most_common([fact["name"] for fact in members]),
        "type": most_common([fact["type"] for fact in members]),
        "subtype": most_common(subtypes) if subtypes else None,
        "description": joined_descriptions(members),
        "attributes": joined_attributes(members),
        **(said or {}),
    }
    merged = [member for fact in members for member in member_ids(fact, ENTITY_ID)]
    return {ENTITY_ID: entity_id, **provenance(members), **fields, MEMBER_IDS: list(dict.fromkeys(merged))}

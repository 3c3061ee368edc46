"""Reads what a language model replies about the entities and relations of a text."""

from __future__ import annotations

from collections.abc import Sequence

from heta_framework.kb.graphing.asking import Reply, UnusableReplyError, attributes_of, records_of, text_of
from heta_framework.kb.graphing.mentions import EntityMention, RelationMention
from heta_framework.kb.graphing.names import normalised_name

_UNTYPED = "entity"
_UNNAMED = "related to"


def read_entities(reply: Reply) -> tuple[EntityMention, ...]:
    """The entities of a reply, of equal names the first; one without a name is passed over.

    Raises:
        UnusableReplyError: there is no list, or none of its records has a name.
    """
    records = records_of(reply, "entities")
    found: dict[str, EntityMention] = {}
    for record in records:
        name = text_of(record, "name", "entity", "NodeName")
        if name is not None and name not in found:
            found[name] = EntityMention(
                name,
                text_of(record, "type", "Type") or _UNTYPED,
                text_of(record, "description", "Description") or name,
                text_of(record, "subtype", "Subtype"),
                attributes_of(record, "attributes", "Attr"),
            )
    if records and not found:
        raise UnusableReplyError('no record of "entities" has a "name"')
    return tuple(found.values())


def read_relations(reply: Reply, entities: Sequence[EntityMention]) -> tuple[RelationMention, ...]:
    """The relations of a reply between two different entities; one with another end is passed over.

    Raises:
        UnusableReplyError: there is no list, or none of its records can be used.
    """
    names = {entity.name: entity.name for entity in reversed(entities)}
    loose = {normalised_name(entity.name): entity.name for entity in reversed(entities)}
    records = records_of(reply, "relations")
    found: list[RelationMention] = []
    for record in records:
        ends = [
            names.get(end) or loose.get(normalised_name(end))
            for end in (text_of(record, "source", "Node1") or "", text_of(record, "target", "Node2") or "")
        ]
        source, target = ends
        if source is None or target is None or source == target:
            continue
        name = text_of(record, "name", "Relation", "type", "Type") or _UNNAMED
        description = text_of(record, "description", "Description") or f"{source} {name} {target}"
        kind = text_of(record, "type", "Type") or name
        attributes = attributes_of(record, "attributes", "Attr")
        found.append(RelationMention(source, target, kind, name, description, attributes))
    if records and not found:
        raise UnusableReplyError('no record of "relations" has two different entities of the list as source and target')
    return tuple(found)

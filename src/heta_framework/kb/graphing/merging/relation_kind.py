"""Relations before a model that merges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.kb.graphing.asking import Reply, attributes_of, text_of
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.fact_texts import relation_index_text
from heta_framework.kb.graphing.merging.kinds import Merge, disjoint, entries_of, leading, mapping_of, positions_of
from heta_framework.kb.graphing.merging.relations import RELATION_ID, joined_relations

_FACT_ENDS = ("source_entity_name", "target_entity_name")
_ENTRY_ENDS = ("Node1", "Node2")


class RelationKind:
    """Relations: a mapping from a pair of entities to the relations, or pairs, that become one."""

    prompt = "merge_relations"
    reply_keys: tuple[str, ...] = ("mapping_table", "relation_list")
    id_field = RELATION_ID

    def index_text(self, fact: Fact) -> str:
        """See `FactKind`."""
        return relation_index_text(fact)

    def listing(self, fact: Fact) -> dict[str, Any]:
        """See `FactKind`."""
        return {
            "Id": fact[RELATION_ID],
            "Node1": fact["source_entity_name"],
            "Node2": fact["target_entity_name"],
            "Relation": fact["name"],
            "Type": fact["type"],
            "Description": fact["description"],
            "Attr": fact["attributes"],
        }

    def groups(self, facts: Sequence[Fact]) -> list[list[int]] | None:
        """See `FactKind`: relations between other entities are never the same."""
        pairs: dict[tuple[str, str], list[int]] = {}
        for row, fact in enumerate(facts):
            pairs.setdefault((fact["source_entity_id"], fact["target_entity_id"]), []).append(row)
        return [rows for rows in pairs.values() if len(rows) > 1]

    def read(self, reply: Reply, facts: Sequence[Fact]) -> list[Merge]:
        """See `FactKind`."""
        entries = {_pair(entry, *_ENTRY_ENDS): entry for entry in entries_of(reply, "relation_list")}
        known = positions_of((fact[RELATION_ID], _pair(fact, *_FACT_ENDS)) for fact in facts)
        merges: list[Merge] = []
        for best, names in mapping_of(reply).items():
            members = sorted({row for name in names for row in known.get(name, ())})
            ends = {(facts[row]["source_entity_id"], facts[row]["target_entity_id"]) for row in members}
            if len(members) > 1 and len(ends) == 1:
                merges.append(Merge(tuple(members), self._said(entries.get(best, {}))))
        return disjoint(merges)

    def joined(self, members: Sequence[Fact], said: Mapping[str, Any]) -> Fact:
        """See `FactKind`."""
        return joined_relations(leading(members)[RELATION_ID], members, said)

    def _said(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        fields = {
            "type": text_of(entry, "Type", "type"),
            "name": text_of(entry, "Relation", "name"),
            "description": text_of(entry, "Description", "description"),
            "attributes": attributes_of(entry, "Attr", "attributes"),
        }
        return {name: value for name, value in fields.items() if value}


def _pair(record: Mapping[str, Any], one: str, other: str) -> str:
    return f"{text_of(record, one) or ''}||{text_of(record, other) or ''}"

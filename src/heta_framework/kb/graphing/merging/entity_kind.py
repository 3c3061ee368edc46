"""Entities before a model that merges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.kb.graphing.asking import Reply, attributes_of, text_of
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.fact_texts import entity_index_text
from heta_framework.kb.graphing.merging.entities import ENTITY_ID, joined_entities
from heta_framework.kb.graphing.merging.kinds import Merge, disjoint, entries_of, leading, mapping_of, positions_of
from heta_framework.kb.graphing.names import normalised_name


class EntityKind:
    """Entities: a mapping from the best name to the names that it replaces."""

    prompt = "merge_entities"
    reply_keys: tuple[str, ...] = ("mapping_table", "entity_list")
    id_field = ENTITY_ID

    def index_text(self, fact: Fact) -> str:
        """See `FactKind`."""
        return entity_index_text(fact)

    def listing(self, fact: Fact) -> dict[str, Any]:
        """See `FactKind`."""
        return {
            "Id": fact[ENTITY_ID],
            "NodeName": fact["name"],
            "Type": fact["type"],
            "Subtype": fact["subtype"],
            "Description": fact["description"],
            "Attr": fact["attributes"],
        }

    def groups(self, facts: Sequence[Fact]) -> list[list[int]] | None:
        """See `FactKind`."""
        return None

    def read(self, reply: Reply, facts: Sequence[Fact]) -> list[Merge]:
        """See `FactKind`."""
        entries = {text_of(entry, "NodeName", "name"): entry for entry in entries_of(reply, "entity_list")}
        known = positions_of((fact[ENTITY_ID], fact["name"], normalised_name(fact["name"])) for fact in facts)
        merges: list[Merge] = []
        for best, names in mapping_of(reply).items():
            members = sorted(
                {row for name in names for row in known.get(name) or known.get(normalised_name(name)) or ()}
            )
            if len(members) > 1:
                merges.append(Merge(tuple(members), self._said(best, entries.get(best, {}))))
        return disjoint(merges)

    def joined(self, members: Sequence[Fact], said: Mapping[str, Any]) -> Fact:
        """See `FactKind`."""
        return joined_entities(leading(members)[ENTITY_ID], members, said)

    def _said(self, best: str, entry: Mapping[str, Any]) -> dict[str, Any]:
        fields = {
            "name": best,
            "type": text_of(entry, "Type", "type"),
            "subtype": text_of(entry, "Subtype", "SubType", "subtype"),
            "description": text_of(entry, "Description", "description"),
            "attributes": attributes_of(entry, "Attr", "attributes"),
        }
        return {name: value for name, value in fields.items() if value}

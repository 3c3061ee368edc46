"""One step further from what was found: an entity's relations, and a relation's two entities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.searching.fact_hits import FactHit
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS

if TYPE_CHECKING:
    from heta_framework.kb.graphing.storing.graph_reader import GraphReader, Row

EXPANSION_SHARE = 0.95
"""What a fact that was found through another one scores of the other's score."""

Facts = dict[tuple[str, str], "Row"]
"""Rows of the tables, by kind and id."""


async def expanded(
    reader: GraphReader, entities: Sequence[FactHit], relations: Sequence[FactHit], relation_limit: int
) -> tuple[dict[tuple[str, str], FactHit], Facts]:
    """All hits, of each fact the best, and the facts themselves; a hit whose fact is gone is left out.

    Args:
        relation_limit: how many relations an entity brings at most.
    """
    facts: Facts = {}
    hits: list[FactHit] = []
    entity_rows = await reader.facts(ENTITIES, [hit.fact_id for hit in entities])
    relation_rows = await reader.facts(RELATIONS, [hit.fact_id for hit in relations])
    names = {fact_id: row["entity_name"] for fact_id, row in entity_rows.items()}
    touching = await reader.relations_touching(names.values(), relation_limit) if relation_limit else {}
    for hit in (one for one in entities if one.fact_id in names):
        rows = touching.get(names[hit.fact_id], [])
        facts.update((("relation", row["relation_id"]), row) for row in rows)
        hits += [hit, *(_through(hit, row["relation_id"]) for row in rows)]
    known = [hit for hit in relations if hit.fact_id in relation_rows]
    hits += known
    ends = {hit.fact_id: _ends(relation_rows[hit.fact_id]) for hit in known}
    hits += [_through(hit, end) for hit in known for end in ends[hit.fact_id]]
    entity_rows |= await reader.facts(ENTITIES, {end for pair in ends.values() for end in pair} - entity_rows.keys())
    facts.update((("entity", fact_id), row) for fact_id, row in entity_rows.items())
    facts.update((("relation", fact_id), row) for fact_id, row in relation_rows.items())
    return best_of(hit for hit in hits if (hit.kind.name, hit.fact_id) in facts), facts


def best_of(hits: Iterable[FactHit]) -> dict[tuple[str, str], FactHit]:
    """Of each fact the hit with the best score, of equals the first."""
    best: dict[tuple[str, str], FactHit] = {}
    for hit in hits:
        key = (hit.kind.name, hit.fact_id)
        if key not in best or hit.score > best[key].score:
            best[key] = hit
    return best


def _through(hit: FactHit, fact_id: str) -> FactHit:
    kind, matched_by = (RELATIONS, "entity_one_hop") if hit.kind is ENTITIES else (ENTITIES, "relation_endpoint")
    return FactHit(kind, fact_id, EXPANSION_SHARE * hit.score, matched_by, hit.vector_metadata)


def _ends(row: Row) -> tuple[str, str]:
    return row["source_entity_id"], row["target_entity_id"]

"""Reads facts, their evidence and passages from the tables of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, StoredKind
from heta_framework.kb.graphing.storing.schema import PhysicalTables
from heta_framework.kb.graphing.storing.statements import selections, statement

if TYPE_CHECKING:
    from heta_framework.common.stores.sql.protocol import SQLStoreProtocol

Row = Mapping[str, Any]

_BY_ID = "SELECT * FROM $table WHERE $key IN ($values)"
_BY_NAME = "SELECT * FROM $table WHERE $key IN ($values) ORDER BY entity_id"
_TOUCHING = """WITH ends AS (
  SELECT source_entity_name AS touched, relation_id FROM $table WHERE source_entity_name IN ($values)
  UNION SELECT target_entity_name, relation_id FROM $table WHERE target_entity_name IN ($values)
), placed AS (
  SELECT touched, relation_id, ROW_NUMBER() OVER (PARTITION BY touched ORDER BY relation_id) AS place FROM ends
) SELECT placed.touched, relations.* FROM placed JOIN $table AS relations USING (relation_id)
WHERE place <= :most ORDER BY touched, relation_id"""
_EVIDENCE = "SELECT fact_id, chunk_id FROM $table WHERE fact_type = :kind AND fact_id IN ($values)"
_ALL_ENTITIES = "SELECT entity_id, entity_name FROM $table ORDER BY entity_id"
_ALL_RELATIONS = (
    "SELECT relation_id, source_entity_id, target_entity_id, source_entity_name, target_entity_name, relation_name "
    "FROM $table ORDER BY relation_id"
)
_ALL_EVIDENCE = "SELECT fact_id, chunk_id FROM $table WHERE fact_type = :kind"
_ALL_PASSAGES = "SELECT chunk_id FROM $table ORDER BY chunk_id"
_ALL_SYNONYMS = "SELECT entity_id, other_entity_id, similarity FROM $table"


class GraphReader:
    """The tables of one knowledge base."""

    def __init__(self, sql: SQLStoreProtocol, tables: PhysicalTables) -> None:
        self._sql = sql
        self._tables = tables

    async def facts(self, kind: StoredKind, ids: Iterable[str]) -> dict[str, Row]:
        """Facts by id; unknown ones are left out."""
        table = self._tables.entities if kind is ENTITIES else self._tables.relations
        rows = await self._selected(_BY_ID, list(dict.fromkeys(ids)), table=table, key=kind.id_field)
        return {row[kind.id_field]: row for row in rows}

    async def entities_named(self, names: Iterable[str]) -> dict[str, list[Row]]:
        """Entities by exact name."""
        wanted = list(dict.fromkeys(names))
        rows = await self._selected(_BY_NAME, wanted, table=self._tables.entities, key="entity_name")
        found: dict[str, list[Row]] = {}
        for row in rows:
            found.setdefault(row["entity_name"], []).append(row)
        return found

    async def relations_touching(self, names: Iterable[str], most: int) -> dict[str, list[Row]]:
        """Relations with an end of each name, at most so many each, in the order of their ids."""
        found: dict[str, list[Row]] = {}
        for sql, parameters in selections(_TOUCHING, list(dict.fromkeys(names)), table=self._tables.relations):
            for row in await self._sql.fetch_all(sql, {**parameters, "most": most}):
                found.setdefault(row["touched"], []).append(row)
        return found

    async def evidence(self, kind: StoredKind, ids: Iterable[str]) -> dict[str, list[str]]:
        """The chunks that state facts, by fact."""
        found: dict[str, list[str]] = {}
        wanted = list(dict.fromkeys(ids))
        for sql, parameters in selections(_EVIDENCE, wanted, table=self._tables.evidence):
            for row in await self._sql.fetch_all(sql, {**parameters, "kind": kind.name}):
                found.setdefault(row["fact_id"], []).append(row["chunk_id"])
        return found

    async def passages(self, chunk_ids: Iterable[str]) -> dict[str, Row]:
        """Passages by chunk."""
        wanted = list(dict.fromkeys(chunk_ids))
        rows = await self._selected(_BY_ID, wanted, table=self._tables.passages, key="chunk_id")
        return {row["chunk_id"]: row for row in rows}

    async def all_entities(self) -> list[Row]:
        """Id and name of every entity, in the order of ids."""
        return await self._all(_ALL_ENTITIES, self._tables.entities)

    async def all_relations(self) -> list[Row]:
        """Id, ends and name of every relation, in the order of ids."""
        return await self._all(_ALL_RELATIONS, self._tables.relations)

    async def all_evidence(self, kind: StoredKind) -> list[Row]:
        """Fact and chunk of every row of evidence."""
        return await self._all(_ALL_EVIDENCE, self._tables.evidence, kind=kind.name)

    async def all_passage_ids(self) -> list[str]:
        """Every chunk, in the order of ids."""
        return [row["chunk_id"] for row in await self._all(_ALL_PASSAGES, self._tables.passages)]

    async def all_synonyms(self) -> list[Row]:
        """Pairs of entities with their similarity."""
        return await self._all(_ALL_SYNONYMS, self._tables.synonyms)

    async def _all(self, template: str, table: str, **parameters: Any) -> list[Row]:
        return list(await self._sql.fetch_all(statement(template, table=table), parameters))

    async def _selected(self, template: str, values: Sequence[str], **names: str) -> list[Row]:
        found: list[Row] = []
        for sql, parameters in selections(template, values, **names):
            found += await self._sql.fetch_all(sql, parameters)
        return found

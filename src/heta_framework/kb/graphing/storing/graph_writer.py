"""Brings tables, collections and synonyms of a graph to hold exactly the facts that there are."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from anyio import to_thread

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, StoredKind
from heta_framework.kb.graphing.storing.fact_vectors import FactVectors
from heta_framework.kb.graphing.storing.graph_tables import GraphTables
from heta_framework.kb.graphing.storing.rows import Row, evidence_rows, passage_row
from heta_framework.kb.graphing.storing.synonyms import MOST_COMPARISONS, may_have_synonyms, synonym_pairs


@dataclass
class FactChanges:
    """What was done to the facts of one kind.

    Attributes:
        inserted, updated, deleted: ids.
        evidence: rows of evidence there are now.
        skipped_evidence: chunks that facts name and that are no passages of this knowledge base.
        revision: a fingerprint of all facts.
    """

    inserted: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    evidence: int = 0
    skipped_evidence: int = 0
    revision: str = ""


class GraphWriter:
    """Writes one knowledge base's graph. Vectors first, tables last: where it is killed between, the digests in the
    tables still say what has to be done.
    """

    def __init__(self, tables: GraphTables, vectors: FactVectors | None, collections: dict[str, str]) -> None:
        """Set out.

        Args:
            vectors: None where the recipe has no embedding or no vector store.
            collections: the physical names, by kind.
        """
        self.tables = tables
        self.vectors = vectors
        self._collections = collections

    async def open(self, *, empty: bool) -> None:
        """Make tables; where they are to be empty, remove what was there."""
        if empty and self.vectors is not None:
            for collection in self._collections.values():
                await self.vectors.drop(collection)
        await self.tables.open(empty=empty)

    async def write_passages(self, chunks: Sequence[Chunk], gone: Collection[str] = ()) -> None:
        """Write chunks as passages, and remove others."""
        await self.tables.replace_passages(await to_thread.run_sync(_passage_rows, chunks), gone)

    async def reconcile(self, kind: StoredKind, facts: Sequence[Fact], passages: set[str]) -> FactChanges:
        """Write the facts that are new or differ, and remove those that are not there any more.

        A fact without a passage is not there.
        """
        before = await self.tables.known(kind)
        plan = await to_thread.run_sync(partial(_Plan.of, kind, facts, passages, before))
        if self.vectors is not None:
            collection = self._collections[kind.name]
            await self.vectors.delete(collection, plan.changes.deleted)
            await self.vectors.upsert(collection, kind, plan.facts)
        await self.tables.replace_facts(kind, plan.rows, plan.evidence, plan.changes.deleted)
        if self.vectors is not None:
            await self.vectors.embedding.forget(plan.stale_keys)
        return plan.changes

    async def vector_count(self, kind: StoredKind) -> int:
        """How many facts of a kind have a vector."""
        return 0 if self.vectors is None else await self.vectors.count(self._collections[kind.name])

    async def write_synonyms(self, facts: Sequence[Fact], changes: FactChanges, threshold: float) -> bool:
        """Find the synonyms of the entities that changed; False where there are too many to compare.

        Args:
            facts: all entities.
        """
        stale = {*changes.inserted, *changes.updated, *changes.deleted}
        if self.vectors is None or not stale:
            return True
        named = [fact for fact in facts if may_have_synonyms(fact["name"])]
        fresh = [row for row, fact in enumerate(named) if fact[ENTITIES.id_field] in stale]
        if len(fresh) * len(named) > MOST_COMPARISONS:
            return False
        rows = await self.vectors.embedding.rows([fact["name"] for fact in named], "entity_synonyms")
        pairs = await to_thread.run_sync(lambda: list(synonym_pairs(rows, fresh, threshold)) if len(rows) else [])
        ids = [fact[ENTITIES.id_field] for fact in named]
        written = [
            {"entity_id": ids[one], "other_entity_id": ids[other], "similarity": cosine} for one, other, cosine in pairs
        ]
        await self.tables.replace_synonyms(written, stale)
        return True


@dataclass
class _Plan:
    changes: FactChanges
    facts: list[Fact]
    rows: list[Row]
    evidence: list[Row]
    stale_keys: set[str]

    @classmethod
    def of(
        cls, kind: StoredKind, facts: Sequence[Fact], passages: set[str], before: dict[str, tuple[str, str]]
    ) -> _Plan:
        plan = cls(FactChanges(), [], [], [], set())
        fingerprint = hashlib.sha256()
        present: dict[str, str] = {}
        for fact in sorted(facts, key=lambda one: str(one[kind.id_field])):
            proven = [one for one in fact["source_chunk_ids"] if one in passages]
            plan.changes.skipped_evidence += len(fact["source_chunk_ids"]) - len(proven)
            if proven:
                row = plan._take(kind, {**fact, "source_chunk_ids": proven}, before)
                present[row[kind.id_field]] = row["vector_key"]
                fingerprint.update(row["digest"].encode())
        plan.changes.deleted = [fact_id for fact_id in before if fact_id not in present]
        kept = set(present.values())
        plan.stale_keys = {key for _, key in before.values() if key is not None and key not in kept}
        plan.changes.revision = fingerprint.hexdigest()
        return plan

    def _take(self, kind: StoredKind, fact: Fact, before: dict[str, tuple[str, str]]) -> Row:
        row = kind.row(fact)
        self.changes.evidence += len(fact["source_chunk_ids"])
        known = before.get(row[kind.id_field])
        if known is None or known[0] != row["digest"]:
            (self.changes.inserted if known is None else self.changes.updated).append(row[kind.id_field])
            self.facts.append(fact)
            self.rows.append(row)
            self.evidence += evidence_rows(kind.name, kind.id_field, fact)
        return row


def _passage_rows(chunks: Sequence[Chunk]) -> list[Row]:
    return [passage_row(chunk) for chunk in chunks]

"""Brings tables, collections and synonyms of a graph to hold exactly the facts that there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from functools import partial

from anyio import to_thread

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, StoredKind
from heta_framework.kb.graphing.storing.fact_records import FactRecords
from heta_framework.kb.graphing.storing.fact_vectors import FactVectors
from heta_framework.kb.graphing.storing.graph_tables import GraphTables
from heta_framework.kb.graphing.storing.name_vectors import NameVectors
from heta_framework.kb.graphing.storing.reconciliation import FactChanges, Known, Reconciliation, reconciliation
from heta_framework.kb.graphing.storing.rows import Row, passage_row


class GraphWriter:
    """Writes one knowledge base's graph. Vectors first, tables last: where it is killed between, the digests in the
    tables still say what has to be done.
    """

    def __init__(
        self,
        tables: GraphTables,
        vectors: FactVectors | None,
        names: NameVectors | None,
        *,
        collections: Mapping[str, str],
        synonym_threshold: float | None,
    ) -> None:
        """Set out.

        Args:
            vectors, names: None where the recipe has no embedding or no vector store.
            collections: the physical names, by kind.
            synonym_threshold: the least cosine of synonyms; None: none are looked for.
        """
        self.tables = tables
        self.vectors = vectors
        self._names = names
        self._collections = collections
        self._threshold = synonym_threshold

    async def open(self, *, empty: bool) -> None:
        """Make tables; where they are to be empty, remove what was there."""
        if empty and self.vectors is not None:
            for collection in self._collections.values():
                await self.vectors.drop(collection)
        if empty and self._names is not None:
            await self._names.drop()
        await self.tables.open(empty=empty)

    async def write_passages(self, chunks: Sequence[Chunk], gone: Collection[str] = ()) -> None:
        """Write chunks as passages, and remove others."""
        await self.tables.replace_passages(await to_thread.run_sync(_passage_rows, chunks), gone)

    async def reconcile(self, kind: StoredKind, records: FactRecords, passages: Set[str]) -> FactChanges:
        """Write the facts that are new or differ, and remove those that are not there any more."""
        known = await self.tables.known(kind)
        plan = await to_thread.run_sync(partial(reconciliation, kind, records, passages, known))
        if self.vectors is not None:
            collection = self._collections[kind.name]
            await self.vectors.delete(collection, plan.changes.deleted)
            await self.vectors.upsert(collection, kind, plan.facts)
        if kind is ENTITIES:
            await self._write_synonyms(plan, known)
        await self.tables.replace_facts(kind, plan.rows, plan.evidence, plan.changes.deleted)
        if self.vectors is not None:
            await self.vectors.embedding.forget(plan.stale_keys)
        return plan.changes

    async def vector_count(self, kind: StoredKind) -> int:
        """How many facts of a kind have a vector."""
        return 0 if self.vectors is None else await self.vectors.count(self._collections[kind.name])

    async def _write_synonyms(self, plan: Reconciliation, known: Known) -> None:
        """Find the synonyms of entities that are new or were renamed."""
        if self._names is None or self._threshold is None:
            return
        before = await self.tables.entity_names(plan.changes.updated)
        names = {row["entity_id"]: row["entity_name"] for row in plan.rows}
        fresh = [(one, name) for one, name in names.items() if before.get(one) != name]
        stale = [*(one for one, _ in fresh), *plan.changes.deleted]
        await self._names.delete(stale)
        found = await self._names.synonyms(fresh, self._threshold, all_new=not known)
        await self.tables.replace_synonyms(found, stale)


def _passage_rows(chunks: Sequence[Chunk]) -> list[Row]:
    return [passage_row(chunk) for chunk in chunks]

"""Writes a graph and leaves the artifact that says what was written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.graphing.graph_place import STATE_ARTIFACT, GraphPlace
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS
from heta_framework.kb.graphing.storing.fact_records import FactRecords
from heta_framework.kb.graphing.storing.graph_writer import GraphWriter
from heta_framework.kb.graphing.storing.reconciliation import FactChanges
from heta_framework.kb.graphing.storing.used_vectors import note_used_vectors
from heta_framework.kb.steps.issues import IssueSubject, StepIssue

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext


@dataclass(frozen=True)
class WrittenGraph:
    """What was written."""

    entities: FactChanges
    relations: FactChanges
    entity_count: int
    relation_count: int
    evidence_count: int
    entity_vectors: int
    relation_vectors: int
    dimension: int


async def write_graph(
    run: StepExecutionContext,
    place: GraphPlace,
    writer: GraphWriter,
    entities: FactRecords,
    relations: FactRecords,
    *,
    step: str,
) -> WrittenGraph:
    """Bring the stores to hold these facts and the chunks there are, and leave the artifact that says so."""
    await _write_passages(run, place, writer)
    passages = await writer.tables.passage_ids()
    changed_entities = await writer.reconcile(ENTITIES, entities, passages)
    run.progress(step, len(entities), None)
    changed_relations = await writer.reconcile(RELATIONS, relations, passages)
    run.progress(step, len(entities) + len(relations), None)
    written = await _written(writer, changed_entities, changed_relations)
    _report_unplaced(run, writer, step)
    await _leave_state(run, place, writer, written, passages)
    await _note_vectors(run, place, writer)
    return written


async def is_whole(run: StepExecutionContext, place: GraphPlace, step: str) -> bool:
    """Whether the stores hold as much as the artifact says."""
    state = run.artifacts.get(STATE_ARTIFACT, {}).get(place.table_names.entities)
    if state is None:
        return False
    writer = place.writer(run, step)
    await writer.tables.open(empty=False)
    counts = await writer.tables.counts()
    vectors = (await writer.vector_count(ENTITIES), await writer.vector_count(RELATIONS))
    return [*counts, *vectors] == list(state["counts"]) and state["has_vectors"] == (writer.vectors is not None)


async def _write_passages(run: StepExecutionContext, place: GraphPlace, writer: GraphWriter) -> None:
    delta = run.delta
    if not delta.full:
        await writer.write_passages([], delta.removed_chunk_ids)
    keys = run.get_artifact(place.chunk_keys_artifact) if delta.full else delta.added_chunk_keys
    async for chunks in read_chunks(run.objects(place.object_store), keys):
        await writer.write_passages(chunks)


def _report_unplaced(run: StepExecutionContext, writer: GraphWriter, step: str) -> None:
    unplaced = writer.vectors.without_vector if writer.vectors is not None else []
    if unplaced:
        run.report(
            StepIssue(
                step,
                IssueSubject("fact", unplaced[0]),
                f"the embedding model has no vector for {len(unplaced)} facts; they are found by name alone",
                "facts_without_vector",
                "info",
            )
        )


async def _written(writer: GraphWriter, entities: FactChanges, relations: FactChanges) -> WrittenGraph:
    entity_count, relation_count, evidence_count, _ = await writer.tables.counts()
    return WrittenGraph(
        entities,
        relations,
        entity_count,
        relation_count,
        evidence_count,
        await writer.vector_count(ENTITIES),
        await writer.vector_count(RELATIONS),
        writer.vectors.dimension if writer.vectors is not None else 0,
    )


async def _note_vectors(run: StepExecutionContext, place: GraphPlace, writer: GraphWriter) -> None:
    """Those that this run asked for, and those of facts that did not change."""
    if writer.vectors is not None:
        for kind in (ENTITIES, RELATIONS):
            writer.vectors.embedding.keep([key for _, key in (await writer.tables.known(kind)).values()])
    await note_used_vectors(run, run.objects(place.object_store))


async def _leave_state(
    run: StepExecutionContext, place: GraphPlace, writer: GraphWriter, written: WrittenGraph, passages: set[str]
) -> None:
    counts = [written.entity_count, written.relation_count, written.evidence_count, len(passages)]
    state = {
        "revision": _revision(place, writer, written, passages),
        "counts": [*counts, written.entity_vectors, written.relation_vectors],
        "has_vectors": writer.vectors is not None,
        "metric": place.vector_metric,
    }
    known = run.artifacts.get(STATE_ARTIFACT, {})
    run.set_artifact(STATE_ARTIFACT, {**known, place.table_names.entities: state})


def _revision(place: GraphPlace, writer: GraphWriter, written: WrittenGraph, passages: set[str]) -> str:
    """A fingerprint of everything that a search reads of a graph at once: facts, passages, synonyms."""
    embedding = None if writer.vectors is None else writer.vectors.embedding.model.model_name
    parts = (
        written.entities.revision,
        written.relations.revision,
        sorted(passages),
        place.synonym_threshold,
        embedding,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]

"""What has to be done so that the stores hold exactly the facts that there are."""

from __future__ import annotations

import hashlib
from collections.abc import Set
from dataclasses import dataclass, field

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.storing.fact_kinds import StoredKind
from heta_framework.kb.graphing.storing.fact_records import FactRecords, decoded_fact, digest_of
from heta_framework.kb.graphing.storing.rows import Row, evidence_rows

Known = dict[str, tuple[str, str]]
"""Digest and vector key of the facts in the store, by id."""


@dataclass
class FactChanges:
    """What is done to the facts of one kind.

    Attributes:
        inserted, updated, deleted: ids.
        skipped_evidence: chunks that these facts name and that are no passages of this knowledge base.
        revision: a fingerprint of all facts.
    """

    inserted: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    skipped_evidence: int = 0
    revision: str = ""


@dataclass
class Reconciliation:
    """The changes, and everything that is written for them.

    Attributes:
        facts, rows: those that are inserted or updated.
        stale_keys: of vectors that nothing needs any more.
    """

    changes: FactChanges = field(default_factory=FactChanges)
    facts: list[Fact] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    evidence: list[Row] = field(default_factory=list)
    stale_keys: set[str] = field(default_factory=set)


def reconciliation(kind: StoredKind, records: FactRecords, passages: Set[str], known: Known) -> Reconciliation:
    """Compare the facts that there are with those in the store; one that no passage states is not there."""
    plan = Reconciliation()
    fingerprint = hashlib.sha256()
    kept_keys: set[str] = set()
    present: set[str] = set()
    for fact_id in sorted(records):
        digest = digest_of(records[fact_id])
        held = known.get(fact_id)
        if held is not None and held[0] == digest:
            kept_keys.add(held[1])
        else:
            row = _take(plan, kind, decoded_fact(records[fact_id]), passages, digest)
            if row is None:
                continue
            kept_keys.add(row["vector_key"])
            (plan.changes.inserted if held is None else plan.changes.updated).append(fact_id)
        present.add(fact_id)
        fingerprint.update(f"{fact_id}{digest}".encode())
    plan.changes.deleted = [fact_id for fact_id in known if fact_id not in present]
    plan.stale_keys = {key for _, key in known.values() if key} - kept_keys
    plan.changes.revision = fingerprint.hexdigest()
    return plan


def _take(plan: Reconciliation, kind: StoredKind, fact: Fact, passages: Set[str], digest: str) -> Row | None:
    proven = [chunk_id for chunk_id in fact["source_chunk_ids"] if chunk_id in passages]
    plan.changes.skipped_evidence += len(fact["source_chunk_ids"]) - len(proven)
    if not proven:
        return None
    fact = {**fact, "source_chunk_ids": proven}
    row = {**kind.row(fact), "digest": digest}
    plan.facts.append(fact)
    plan.rows.append(row)
    plan.evidence += evidence_rows(kind.name, kind.id_field, fact)
    return row

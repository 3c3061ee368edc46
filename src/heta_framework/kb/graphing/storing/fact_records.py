"""Facts as the bytes in which they lie in packs: what did not change need not be read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from anyio import to_thread

from heta_framework.kb.derived.packs import read_packs
from heta_framework.kb.graphing.fact_packs import Fact, fact_record, facts_of

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext

FactRecords = Mapping[str, bytes]
"""JSON of facts, by id."""


async def all_records(run: StepExecutionContext, store: str | None, artifact: str, id_field: str) -> FactRecords:
    """Every fact of the packs that the artifact names."""
    found: dict[str, bytes] = {}
    async for records in read_packs(run.objects(store), run.get_artifact(artifact)):
        found.update(await to_thread.run_sync(_by_fact, records, id_field))
    return found


def encoded_facts(facts: Iterable[Fact], id_field: str) -> FactRecords:
    """Facts at hand, as they would lie in a pack."""
    return dict(fact_record(fact[id_field], fact) for fact in facts)


def decoded_fact(data: bytes) -> Fact:
    """A fact from its record."""
    fact: Fact = json.loads(data)
    return fact


def digest_of(data: bytes) -> str:
    """24 hex that stand for all that a record says, evidence included."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def _by_fact(records: Mapping[str, bytes], id_field: str) -> FactRecords:
    """A record is a fact under its own id, or all facts of a chunk."""
    merged = {key: data for key, data in records.items() if not data.startswith(b"[")}
    if len(merged) == len(records):
        return merged
    return {**merged, **encoded_facts(facts_of({key: records[key] for key in records.keys() - merged}), id_field)}

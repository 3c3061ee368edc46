"""Entities and relations in packs: of a chunk as one record, of a merged fact as one each."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.kb.derived.packs import Record, read_packs

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

Fact = dict[str, Any]
"""The fields of an entity or a relation, as ``to_dict`` gives them."""


def packs_prefix(prefix: str, namespace: str) -> str:
    """Below which the packs of a knowledge base lie."""
    return f"{prefix.strip('/')}/{namespace}/"


def fact_record(key: str, facts: Fact | list[Fact]) -> Record:
    """One record: the facts of a chunk under its id, or one fact under its own."""
    return key, json.dumps(facts, separators=(",", ":")).encode()


async def read_facts(objects: ObjectStoreProtocol, keys: Iterable[str]) -> AsyncIterator[list[Fact]]:
    """The facts of these packs, one list a pack.

    Raises:
        LostArtifactError: a pack is gone or damaged; the steps before have to run again.
    """
    async for records in read_packs(objects, keys):
        yield await to_thread.run_sync(facts_of, records)


def facts_of(records: Mapping[str, bytes]) -> list[Fact]:
    """The facts of a pack's records, in their order."""
    found: list[Fact] = []
    for value in records.values():
        decoded = json.loads(value)
        found.extend(decoded if isinstance(decoded, list) else [decoded])
    return found

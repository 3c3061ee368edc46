"""The passages that state what was found: those first that state most of it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING, Any

from heta_framework.kb.graphing.searching.fact_hits import FactHit
from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS

if TYPE_CHECKING:
    from heta_framework.kb.graphing.storing.graph_reader import GraphReader, Row

Key = tuple[str, str]


async def chunks_of(reader: GraphReader, hits: Mapping[Key, FactHit]) -> dict[Key, list[str]]:
    """The chunks that state each fact, best first.

    A chunk counts for what the facts that it states score, a fact for less the more chunks state it; so the chunk that
    a question is about stands before one that shares a common word with it.
    """
    stated: dict[Key, list[str]] = {}
    for kind in (ENTITIES, RELATIONS):
        ids = [fact_id for name, fact_id in hits if name == kind.name]
        found = await reader.evidence(kind, ids)
        stated.update(((kind.name, fact_id), chunks) for fact_id, chunks in found.items())
    support: dict[str, float] = defaultdict(float)
    for key, chunks in stated.items():
        for chunk_id in chunks:
            support[chunk_id] += max(hits[key].score, 0.0) / sqrt(len(chunks))
    return {key: sorted(chunks, key=lambda one: (-support[one], one)) for key, chunks in stated.items()}


def passage_metadata(passage: Row) -> dict[str, Any]:
    """What the tables know of a passage's chunk, as `chunk_metadata` wrote it."""
    return dict(json.loads(passage["metadata"]))


def carries(passage: Row, filters: Mapping[str, Any]) -> bool:
    """Whether a passage's metadata holds all of these values."""
    metadata = passage_metadata(passage) if filters else {}
    return all(metadata.get(name) == value for name, value in filters.items())

"""Ids of facts: 16 hex of the sha256 of what they are made of, joined by newlines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def make_entity_id(
    *,
    document_id: str,
    chunk_id: str,
    name: str,
    type: str,  # noqa: A002 - callers know it by this name
    subtype: str | None,
    description: str,
) -> str:
    """The id of an entity as one chunk names it."""
    return _id("entity", (document_id, chunk_id, name, type, subtype or "", description))


def make_relation_id(
    *,
    document_id: str,
    chunk_id: str,
    source_entity_id: str,
    target_entity_id: str,
    type: str,  # noqa: A002 - as above
    name: str,
    description: str,
) -> str:
    """The id of a relation as one chunk states it."""
    return _id("relation", (document_id, chunk_id, source_entity_id, target_entity_id, type, name, description))


def make_deduplicated_entity_id(*, member_entity_ids: tuple[str, ...], name: str) -> str:
    """An id for a merged entity; the order of its members does not matter."""
    return _id("entity", (name, *sorted(member_entity_ids)))


def make_deduplicated_relation_id(*, member_relation_ids: tuple[str, ...], name: str) -> str:
    """An id for a merged relation; the order of its members does not matter."""
    return _id("relation", (name, *sorted(member_relation_ids)))


def group_id(kind: str, key: Iterable[str]) -> str:
    """The id of what is merged under a key: it stays while members come and go, so that citations stay true."""
    return _id(kind, ("same", *key))


def merged_chunk_id(source_chunk_ids: Iterable[str]) -> str:
    """What stands in the place of the one chunk of a merged fact."""
    return _id("dedup", source_chunk_ids)


def _id(kind: str, parts: Iterable[str]) -> str:
    joined = "\n".join(parts).encode("utf-8", "replace")
    return f"{kind}_{hashlib.sha256(joined).hexdigest()[:16]}"

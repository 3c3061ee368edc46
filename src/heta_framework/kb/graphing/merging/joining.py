"""What a merged fact says: the most common of what its members say, nothing that none of them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.ids import merged_chunk_id

MEMBER_IDS = "member_ids"
"""Beside the fields of a merged fact: the ids of what it was merged from."""

_T = TypeVar("_T", bound=Hashable)
_LONGEST_DESCRIPTION = 600


def in_order(facts: Iterable[Fact]) -> list[Fact]:
    """The same order whatever way the facts came: what is merged must not depend on when a document was added."""
    return sorted(facts, key=lambda fact: (fact["document_id"], fact["chunk_id"], fact["name"]))


def most_common(values: Sequence[_T]) -> _T:
    """The most frequent value, of equally frequent ones the first."""
    return values[0] if len(values) == 1 else Counter(values).most_common(1)[0][0]


def joined_descriptions(facts: Sequence[Fact]) -> str:
    """The distinct descriptions one after another, as many as fit into 600 characters, at least the first."""
    distinct = dict.fromkeys(fact["description"] for fact in facts)
    joined = ""
    for description in distinct:
        longer = f"{joined} {description}".strip()
        if joined and len(longer) > _LONGEST_DESCRIPTION:
            break
        joined = longer
    return joined


def joined_attributes(facts: Iterable[Fact]) -> dict[str, str]:
    """All attributes; where two differ, the first."""
    attributes: dict[str, str] = {}
    for fact in facts:
        attributes = {**fact["attributes"], **attributes}
    return attributes


def provenance(facts: Sequence[Fact]) -> dict[str, Any]:
    """Where a merged fact comes from: the fields that say so."""
    chunks = list(dict.fromkeys(chunk_id for fact in facts for chunk_id in fact["source_chunk_ids"]))
    return {
        "chunk_id": chunks[0] if len(chunks) == 1 else merged_chunk_id(chunks),
        "document_id": facts[0]["document_id"],
        "source_chunk_ids": chunks,
    }


def member_ids(fact: Mapping[str, Any], id_field: str) -> list[str]:
    """What the fact was merged from; itself where it was not."""
    members: list[str] = fact.get(MEMBER_IDS) or [fact[id_field]]
    return members

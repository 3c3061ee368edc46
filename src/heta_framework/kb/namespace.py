"""The names under which one knowledge base keeps its things, so that two of them on the same stores never meet."""

from __future__ import annotations

import hashlib
import re

_LONGEST_SLUG = 24


def namespace_of(knowledge_base_name: str) -> str:
    """A short name that no other knowledge base has: a readable beginning and 12 hex of the exact name's hash.

    Made of ``a-z``, ``0-9`` and ``_`` alone, at most 37 characters, so that every store takes it.
    """
    slug = re.sub(r"[^a-z0-9]+", "_", knowledge_base_name.lower()).strip("_")[:_LONGEST_SLUG].strip("_") or "kb"
    return f"{slug}_{hashlib.sha256(knowledge_base_name.encode()).hexdigest()[:12]}"


def physical_name(logical: str, namespace: str) -> str:
    """What a collection, index or table of this logical name is called in the store."""
    return f"{logical}__{namespace}"

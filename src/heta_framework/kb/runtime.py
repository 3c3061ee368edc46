"""Where a knowledge base keeps its own files in the object store.

Every exact name has a folder of its own below ``_heta/knowledge_bases/``: the name itself where it is made of ``a-z``,
``0-9``, ``_`` and ``-`` alone, else a readable form of it with 8 hex of its hash. So "Marine KB", "marine kb" and
"marine-kb" are three knowledge bases.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

ROOT = "_heta/knowledge_bases"
REPORTS_FOLDER = "evaluations"  # not the knowledge base's own: reports outlive it
_LONGEST_NAME = 80
_PLAIN_FOLDER = re.compile(r"[a-z0-9_-]+")


@dataclass(frozen=True)
class KnowledgeBaseRuntime:
    """The keys of a knowledge base's files.

    Attributes:
        name: as the caller spells it.
    """

    name: str

    @property
    def safe_name(self) -> str:
        """The folder."""
        if _PLAIN_FOLDER.fullmatch(self.name):
            return self.name
        slug = re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_") or "kb"
        return f"{slug}-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    @property
    def prefix(self) -> str:
        """Everything of the knowledge base's own lies below this key."""
        return f"{ROOT}/{self.safe_name}"

    @property
    def manifest_key(self) -> str:
        """The manifest: written last, so that a build without one has not finished."""
        return f"{self.prefix}/manifest.json"

    @property
    def latest_run_key(self) -> str:
        """Which run was the last, and what became of it."""
        return f"{self.prefix}/latest_run.json"

    @property
    def lease_key(self) -> str:
        """Who is building, updating or deleting at this moment."""
        return f"{self.prefix}/lease.json"

    @property
    def pending_update_key(self) -> str:
        """An update that has begun and not finished."""
        return f"{self.prefix}/pending_update.json"

    def run_prefix(self, run_id: str) -> str:
        """The folder of a run."""
        return f"{self.prefix}/runs/{run_id}"

    def state_key(self, run_id: str) -> str:
        """The state of a run, written before and after every step."""
        return f"{self.run_prefix(run_id)}/state.json"

    def record_key(self, run_id: str) -> str:
        """The record of a run, written at its end."""
        return f"{self.run_prefix(run_id)}/record.json"


def checked_name(name: object) -> str:
    """The name of a knowledge base, stripped.

    Raises:
        TypeError: it is not a string.
        ValueError: it is blank, has more than 80 characters, or holds others than letters, digits, space, ``_``, ``-``.
    """
    if not isinstance(name, str):
        raise TypeError("knowledge base name must be a string")
    stripped = name.strip()
    if not stripped:
        raise ValueError("knowledge base name must not be empty")
    if len(stripped) > _LONGEST_NAME:
        raise ValueError(f"knowledge base name must be at most {_LONGEST_NAME} characters")
    if not all(character.isalnum() or character in " _-" for character in stripped):
        raise ValueError("knowledge base name may contain only letters, numbers, spaces, underscores, or hyphens")
    return stripped

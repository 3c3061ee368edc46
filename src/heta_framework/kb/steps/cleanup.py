"""What a step made in the stores and what goes when its knowledge base is deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CleanupTargetKind = Literal["object_key", "runtime_prefix", "sql_table", "text_index", "vector_collection"]


@dataclass(frozen=True)
class CleanupTarget:
    """One thing to delete.

    Attributes:
        value: its physical name or key.
        component: key of the store that holds it, e.g. ``stores.vector``; a bare name is that of a named store of the
            kind, None the recipe's own.
    """

    kind: CleanupTargetKind
    value: str
    component: str | None = None


@dataclass(frozen=True)
class StepCleanupPlan:
    """Everything that one step made."""

    targets: tuple[CleanupTarget, ...] = ()


@dataclass(frozen=True)
class CleanupIssue:
    """A target that could not be deleted."""

    target: CleanupTarget
    message: str
    error_type: str

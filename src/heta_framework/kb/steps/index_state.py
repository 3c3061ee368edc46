"""What an index step remembers of its index, asks of its store, and leaves to be deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heta_framework.kb.namespace import physical_name
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.cleanup import CleanupTarget, CleanupTargetKind, StepCleanupPlan


def state_artifact(result_artifact: str) -> str:
    """The artifact beside a result, which is not written down, that says how many records the index holds."""
    return f"{result_artifact.removesuffix('_result')}_state"


async def has_text_index(store: Any, name: str) -> bool:
    """Whether a text index exists, also of a store that has no ``has_index``: then counting tells."""
    has_index = getattr(store, "has_index", None)
    if has_index is not None:
        return bool(await has_index(name))
    try:
        await store.count(name)
    except Exception:  # noqa: BLE001 - a store of the caller's own raises what it likes for an index that is not there
        return False
    return True


def index_cleanup(
    artifacts: Mapping[str, Any], kind: CleanupTargetKind, logical: str, store_key: str
) -> StepCleanupPlan:
    """The index or collection under its own name; none before the knowledge base has a namespace."""
    namespace = artifacts.get(NAMESPACE_ARTIFACT)
    if not namespace:
        return StepCleanupPlan()
    return StepCleanupPlan((CleanupTarget(kind, physical_name(logical, str(namespace)), store_key),))

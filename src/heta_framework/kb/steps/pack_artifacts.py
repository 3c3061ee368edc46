"""Packs that a step left as an artifact: are they whole, and what of them goes with the knowledge base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anyio import to_thread

from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.derived.pack import TornPackError, check_pack
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.cleanup import CleanupTarget, StepCleanupPlan


async def packs_are_whole(context: StepExecutionContext, artifact: str, store: str | None) -> bool:
    """Whether every pack that the artifact names is there and unaltered."""
    objects = context.objects(store)
    try:
        for key in context.get_artifact(artifact):
            await to_thread.run_sync(check_pack, await objects.get(key))
    except (TornPackError, FileNotFoundError, KeyError):
        return False
    return True


def pack_cleanup(artifacts: Mapping[str, Any], artifact: str, prefix: str, store: str | None) -> StepCleanupPlan:
    """The packs of an artifact, and what a killed run may have left beside them."""
    store_key = store_ref("objects", store).key
    targets = [CleanupTarget("object_key", key, store_key) for key in artifacts.get(artifact) or ()]
    namespace = artifacts.get(NAMESPACE_ARTIFACT)
    if namespace:
        targets.append(CleanupTarget("runtime_prefix", f"{prefix.rstrip('/')}/{namespace}/", store_key))
    return StepCleanupPlan(tuple(targets))

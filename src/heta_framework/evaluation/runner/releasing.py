"""Lets go of a knowledge base whose cases are done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from anyio import to_thread

from heta_framework.common.stores.returned_memory import return_unused_memory
from heta_framework.evaluation.runner.unit_manifests import slim_manifest
from heta_framework.kb import KnowledgeBase
from heta_framework.kb.lifecycle.purging import forget_in_memory, made_in_stores
from heta_framework.kb.lifecycle.removal import component_of
from heta_framework.kb.manifest import KnowledgeBaseManifest


async def release(kb: KnowledgeBase, *, discard: bool) -> KnowledgeBase:
    """What the result of the run holds of it. Stores that can (they have ``release``) close what is open of it.

    Args:
        discard: delete it; what it was stays known by its manifest, without what grows with its documents.
    """
    if discard:
        await kb.delete()
    else:
        await _close(kb)
    await to_thread.run_sync(return_unused_memory)
    if not discard:
        return kb
    manifest = KnowledgeBaseManifest.from_dict(slim_manifest(kb))
    return KnowledgeBase.restore(manifest=manifest, recipe=kb.recipe, query_engines=kb.query_engines)


async def _close(kb: KnowledgeBase) -> None:
    artifacts = kb.run_record.artifacts
    for target in made_in_stores(kb.recipe, artifacts):
        store = kb.recipe.component_at(component_of(target))
        close: Callable[[str], Awaitable[None]] | None = getattr(store, "release", None)
        if close is not None:
            await close(target.value)
    forget_in_memory(artifacts)

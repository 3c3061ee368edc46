"""Takes away what a knowledge base made: its collections, tables and indexes, its packs, its own files.

Raw documents, evaluation reports and what other knowledge bases made stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import store_ref
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.lifecycle.building import object_store_of
from heta_framework.kb.lifecycle.forgetting import CACHE_ROOT, all_cache_keys, forget, keys_of_other_packs
from heta_framework.kb.lifecycle.lease import held
from heta_framework.kb.lifecycle.pending_update import PendingUpdate
from heta_framework.kb.lifecycle.purging import forget_in_memory, made_in_stores, purge_stores
from heta_framework.kb.lifecycle.removal import Remover
from heta_framework.kb.lifecycle.run_files import RunFiles
from heta_framework.kb.runtime import ROOT, KnowledgeBaseRuntime
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.cleanup import CleanupIssue, CleanupTarget, CleanupTargetKind

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.recipe import KnowledgeRecipe

RAW_ROOT = "raw"
_ORDER: tuple[CleanupTargetKind, ...] = ("vector_collection", "sql_table", "text_index", "object_key", "runtime_prefix")


@dataclass(frozen=True)
class KnowledgeBaseDeletePlan:
    """What would be deleted."""

    targets: tuple[CleanupTarget, ...] = ()

    @property
    def object_keys(self) -> tuple[str, ...]:
        """Objects."""
        return values_of(self.targets, "object_key")

    @property
    def runtime_prefixes(self) -> tuple[str, ...]:
        """Folders of the knowledge base's own files."""
        return values_of(self.targets, "runtime_prefix")

    @property
    def sql_tables(self) -> tuple[str, ...]:
        """Tables, by the names that they have in the database."""
        return values_of(self.targets, "sql_table")

    @property
    def vector_collections(self) -> tuple[str, ...]:
        """Vector collections, by the names that they have in the store."""
        return values_of(self.targets, "vector_collection")

    @property
    def text_indexes(self) -> tuple[str, ...]:
        """Full-text indexes, by the names that they have in the store."""
        return values_of(self.targets, "text_index")


@dataclass(frozen=True)
class KnowledgeBaseDeleteResult:
    """What was deleted.

    Attributes:
        dry_run: nothing was; ``targets`` are what would be.
        issues: what could not be deleted, and why.
    """

    dry_run: bool
    targets: tuple[CleanupTarget, ...]
    deleted_object_keys: tuple[str, ...] = ()
    deleted_runtime_prefixes: tuple[str, ...] = ()
    dropped_sql_tables: tuple[str, ...] = ()
    dropped_text_indexes: tuple[str, ...] = ()
    dropped_vector_collections: tuple[str, ...] = ()
    issues: tuple[CleanupIssue, ...] = ()


def delete_plan(recipe: KnowledgeRecipe, name: str, artifacts: Mapping[str, Any]) -> KnowledgeBaseDeletePlan:
    """What the steps say that they made, each thing once, in the order in which it goes; then the own files."""
    planned = [target for step in recipe.expanded_steps() for target in step.cleanup_plan(artifacts).targets]
    own = [target for target in dict.fromkeys(planned) if not _is_of_others(target, artifacts)]
    if object_store_of(recipe) is not None:
        own.append(CleanupTarget("runtime_prefix", KnowledgeBaseRuntime(name).prefix, store_ref("objects").key))
    return KnowledgeBaseDeletePlan(tuple(sorted(own, key=lambda target: _ORDER.index(target.kind))))


async def delete(
    recipe: KnowledgeRecipe, name: str, artifacts: Mapping[str, Any], *, purge: bool
) -> KnowledgeBaseDeleteResult:
    """Delete everything in the plan; what fails becomes an issue, and the rest goes on.

    Args:
        purge: also discard from the step cache what no other knowledge base of the object store needs.

    Raises:
        KnowledgeBaseBusyError: it is being built or updated at this moment.
    """
    plan = delete_plan(recipe, name, artifacts)
    objects = object_store_of(recipe)
    if objects is None:
        return await _delete(recipe, plan)
    runtime = KnowledgeBaseRuntime(name)
    async with held(objects, runtime):
        forgotten = await _own_cache_keys(objects, name, artifacts) if purge else set()
        result = await _delete(recipe, plan)
        await forget(objects, forgotten, except_for=runtime.safe_name)
        await purge_stores(recipe, made_in_stores(recipe, artifacts))
        forget_in_memory(artifacts)
        return result


async def _own_cache_keys(objects: ObjectStoreProtocol, name: str, artifacts: Mapping[str, Any]) -> set[str]:
    """What the step cache holds of the documents, and of those that an update has begun to add."""
    keys = {key async for key in all_cache_keys(objects, artifacts)}
    pending = await RunFiles(objects, name).read_pending_update()
    if pending is not None:
        keys |= await keys_of_other_packs(objects, PendingUpdate.from_dict(pending).cache_packs)
    return keys


def values_of(targets: Iterable[CleanupTarget], kind: CleanupTargetKind) -> tuple[str, ...]:
    """The values of the targets of a kind."""
    return tuple(target.value for target in targets if target.kind == kind)


async def _delete(recipe: KnowledgeRecipe, plan: KnowledgeBaseDeletePlan) -> KnowledgeBaseDeleteResult:
    remover = Remover(recipe)
    for target in plan.targets:
        await remover.remove(target)
    done = remover.removed
    return KnowledgeBaseDeleteResult(
        dry_run=False,
        targets=plan.targets,
        deleted_object_keys=values_of(done, "object_key"),
        deleted_runtime_prefixes=values_of(done, "runtime_prefix"),
        dropped_sql_tables=values_of(done, "sql_table"),
        dropped_text_indexes=values_of(done, "text_index"),
        dropped_vector_collections=values_of(done, "vector_collection"),
        issues=tuple(remover.issues),
    )


def _is_of_others(target: CleanupTarget, artifacts: Mapping[str, Any]) -> bool:
    """Whether a step names what is not the knowledge base's own: raw documents, or what all of them share."""
    if target.kind not in ("object_key", "runtime_prefix"):
        return False
    place = target.value.rstrip("/")
    documents = map(SourceDocument.of, artifacts.get("source_documents") or ())
    raw = {RAW_ROOT, *artifacts.get("source_keys", ()), *(document.key for document in documents)}
    shared = {CACHE_ROOT, ROOT, *raw}
    holds_others = not place or any(key == place or key.startswith(f"{place}/") for key in shared)
    namespace = str(artifacts.get(NAMESPACE_ARTIFACT))
    in_shared_cache = place.startswith(f"{CACHE_ROOT}/") and namespace not in place
    return holds_others or in_shared_cache or place.startswith(f"{RAW_ROOT}/")

"""Asks stores to take deleted records out of their files, and lets go of what this process remembers of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from heta_framework.kb.lifecycle.removal import component_of
from heta_framework.kb.lifecycle.run_issues import RUN
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.steps.cleanup import CleanupTarget

_IN_STORES = ("vector_collection", "sql_table", "text_index")


def made_in_stores(recipe: KnowledgeRecipe, artifacts: Mapping[str, Any]) -> list[CleanupTarget]:
    """The collections, tables and indexes of a knowledge base."""
    planned = [target for step in recipe.expanded_steps() for target in step.cleanup_plan(artifacts).targets]
    return [target for target in dict.fromkeys(planned) if target.kind in _IN_STORES]


async def purge_stores(recipe: KnowledgeRecipe, targets: Iterable[CleanupTarget]) -> list[StepIssue]:
    """Let each store that keeps deleted records for a while (it has ``purge_deleted``) take them out of its files.

    Returns:
        what could not be done: the records are deleted all the same, and the store's own upkeep takes them out later.
    """
    by_store: dict[str, list[str]] = {}
    for target in targets:
        by_store.setdefault(component_of(target), []).append(target.value)
    issues: list[StepIssue] = []
    for component, names in by_store.items():
        try:
            purge = getattr(recipe.component_at(component), "purge_deleted", None)
            if purge is not None:
                await purge(names)
        except Exception as error:  # noqa: BLE001 - stores are plugins: what is deleted is deleted, this is only its upkeep
            issues.append(_unpurged(component, error))
    return issues


def forget_in_memory(artifacts: Mapping[str, Any]) -> None:
    """Let go of chunks, names and graphs that this process has read."""
    from heta_framework.kb.derived.chunk_packs import forget_remembered
    from heta_framework.kb.derived.pack_memory import fingerprint
    from heta_framework.kb.graphing.names import normalised_name

    forget_remembered()
    fingerprint.cache_clear()
    normalised_name.cache_clear()
    if "graph_state" in artifacts:
        from heta_framework.kb.graphing.searching.graph_cache import GRAPHS

        GRAPHS.forget(str(artifacts.get(NAMESPACE_ARTIFACT)))


def _unpurged(component: str, error: Exception) -> StepIssue:
    return StepIssue(
        RUN,
        IssueSubject("store", component),
        f"{component} may keep bytes of deleted records for a while: {type(error).__name__}: {error}",
        "not_purged",
        resolution=IssueResolution("went on", "records are deleted; their bytes go with the store's own upkeep"),
    )

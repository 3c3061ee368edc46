"""From what lies in the stores to a knowledge base that answers: checked, and made whole where it is not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.delta import Delta
from heta_framework.kb.errors import KnowledgeBaseNotFoundError, KnowledgeBaseNotReadyError
from heta_framework.kb.lifecycle.building import (
    BuildPlan,
    Built,
    object_store_of,
    run,
    run_in_memory,
    with_live_artifacts,
)
from heta_framework.kb.lifecycle.earlier_run import is_intact
from heta_framework.kb.lifecycle.embedding_check import require_same_embedding
from heta_framework.kb.lifecycle.lease import Lease, held
from heta_framework.kb.lifecycle.rebuilding import rebuild
from heta_framework.kb.lifecycle.redaction import inputs_after_updates
from heta_framework.kb.lifecycle.run_files import RunFiles, Standing
from heta_framework.kb.lifecycle.settling import settle_pending_update
from heta_framework.kb.lifecycle.sources import documents_after_updates
from heta_framework.kb.lifecycle.step_identity import recorded_identities
from heta_framework.kb.listing import list_knowledge_bases
from heta_framework.kb.manifest import KnowledgeBaseManifest
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe


async def load(recipe: KnowledgeRecipe, name: str) -> KnowledgeBaseManifest:
    """The manifest of a finished knowledge base whose stores hold what it says.

    An update that a killed process left half done is finished first; an index that is not there any more, as after a
    restart with stores in memory, is built again from what was kept.

    Raises:
        ValueError: the recipe has no object store.
        KnowledgeBaseNotFoundError: there is none.
        KnowledgeBaseNotReadyError: its build did not finish.
        RecipeMismatchError: its vectors were made by another embedding model than the recipe's.
        KnowledgeBuildError: what is missing could not be made again.
    """
    files = files_of(recipe, name, to="load a KB")
    outline = await files.outline()
    try:
        manifest = _ready(outline, name)
    except KnowledgeBaseNotFoundError as error:
        error.add_note(await _what_there_is(files))
        raise
    require_same_embedding(recipe, manifest.run_record.artifacts, name)
    if await _whole(files, recipe, outline):
        return manifest
    async with held(files.objects, files.runtime) as lease:
        return await make_whole(recipe, files, lease)


async def make_whole(recipe: KnowledgeRecipe, files: RunFiles, lease: Lease) -> KnowledgeBaseManifest:
    """Settle an update that was left half done, then build again what the stores have lost."""
    standing = await files.standing()
    manifest = _ready(standing, files.runtime.name)
    settled = await settle_pending_update(recipe, files, lease, manifest)
    if settled is not None:
        return settled
    if await _whole(files, recipe, standing):
        return manifest
    return (await rebuild(recipe, files, lease, standing, manifest)).manifest


async def resume(manifest: KnowledgeBaseManifest, plan: BuildPlan) -> Built:
    """Run again what is not done, has changed, or is gone from the stores.

    Args:
        manifest: of the knowledge base as the caller holds it.

    Raises:
        RecipeMismatchError: the knowledge base is finished and its vectors were made by another model.
    """
    live = manifest.run_record
    if live.status == "succeeded":
        require_same_embedding(plan.recipe, live.artifacts, plan.name)
    objects = object_store_of(plan.recipe)
    if objects is None:
        return await run_in_memory(plan, live)
    files = RunFiles(objects, plan.name)
    async with held(objects, files.runtime) as lease:
        standing = await files.standing()
        if standing.manifest is not None and standing.manifest.run_record.status == "succeeded":
            await settle_pending_update(plan.recipe, files, lease, standing.manifest)
            standing = await files.standing()
        documents = await documents_after_updates(objects, (standing.record or live).artifacts)
        delta = Delta(documents=documents) if documents is not None else None
        if standing.record is not None:
            plan = replace(plan, inputs={**plan.inputs, **inputs_after_updates(standing.record.artifacts)})
            standing = replace(standing, record=with_live_artifacts(standing.record, live))
        return await run(replace(plan, delta=delta), files, lease, standing)


def files_of(recipe: KnowledgeRecipe, name: str, *, to: str) -> RunFiles:
    """The files of a knowledge base.

    Raises:
        ValueError: the recipe has no object store; ``to`` says what it would be needed for.
    """
    objects = object_store_of(recipe)
    if objects is None:
        raise ValueError(f"recipe.stores.objects must satisfy ObjectStoreProtocol to {to}")
    return RunFiles(objects, name)


def _ready(standing: Standing, name: str) -> KnowledgeBaseManifest:
    manifest = standing.manifest
    if manifest is None:
        raise KnowledgeBaseNotFoundError(f"knowledge base metadata not found: {name}{_why_missing(standing)}")
    if manifest.run_record.status != "succeeded":
        status = manifest.run_record.status
        raise KnowledgeBaseNotReadyError(f"knowledge base is not ready to load: {name} (status={status})")
    return manifest


async def _what_there_is(files: RunFiles) -> str:
    names = [manifest.name for manifest in await list_knowledge_bases(files.objects)]
    held = ", ".join(map(repr, names)) or "no knowledge base"
    hint = did_you_mean(files.runtime.name, names)
    return f"{files.objects!r} holds {held}{f'; {hint}' if hint else ''}"


def _why_missing(standing: Standing) -> str:
    if standing.issues:
        return f" ({'; '.join(issue.message for issue in standing.issues)}); create() makes it again"
    if standing.latest is not None:
        return f" (its build did not finish, status={standing.latest['status']}); create() takes it up"
    return ""


async def _whole(files: RunFiles, recipe: KnowledgeRecipe, standing: Standing) -> bool:
    if not standing.finished or standing.manifest is None or await files.read_pending_update() is not None:
        return False
    record = standing.manifest.run_record
    context = StepExecutionContext(
        recipe, dict(record.artifacts), namespace=str(record.artifacts.get(NAMESPACE_ARTIFACT, "default"))
    )
    believed = zip(recipe.expanded_steps(), recorded_identities(recipe, record), strict=True)
    for step, identity in believed:
        if identity and step.capabilities.search_assets and not await is_intact(step, context):
            return False
    return True

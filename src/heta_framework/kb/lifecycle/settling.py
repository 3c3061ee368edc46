"""Brings an update to its end, whatever happens in it.

Forward where a process died in it: the update is done again from what the manifest says, which is written last. Back
where a step failed: the stores are filled again with what the manifest says, so that an update that failed is one that
did not happen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from heta_framework.kb.builder import KnowledgeBaseBuilder
from heta_framework.kb.errors import KnowledgeBuildError
from heta_framework.kb.lifecycle.building import Built, build_error
from heta_framework.kb.lifecycle.clock import now
from heta_framework.kb.lifecycle.forgetting import forget, keys_of_other_packs, noted_cache_keys, sweep_unreferenced
from heta_framework.kb.lifecycle.inputs import UPDATE_ARTIFACT
from heta_framework.kb.lifecycle.pending_update import PendingUpdate
from heta_framework.kb.lifecycle.purging import forget_in_memory, made_in_stores, purge_stores
from heta_framework.kb.lifecycle.rebuilding import rebuild
from heta_framework.kb.lifecycle.run_issues import with_more
from heta_framework.kb.lifecycle.update_work import UpdateWork
from heta_framework.kb.steps.errors import LostArtifactError

if TYPE_CHECKING:
    from heta_framework.kb.context import Progress
    from heta_framework.kb.lifecycle.lease import Lease
    from heta_framework.kb.lifecycle.run_files import RunFiles
    from heta_framework.kb.manifest import KnowledgeBaseManifest
    from heta_framework.kb.recipe import KnowledgeRecipe


async def settle_pending_update(
    recipe: KnowledgeRecipe, files: RunFiles, lease: Lease, manifest: KnowledgeBaseManifest
) -> KnowledgeBaseManifest | None:
    """End an update that a process left half done; the manifest after it, or None where there is none.

    Raises:
        KnowledgeBuildError: a step failed.
    """
    data = await files.read_pending_update()
    if data is None:
        return None
    update = PendingUpdate.from_dict(data)
    if manifest.run_record.artifacts.get(UPDATE_ARTIFACT) == update.update_id:
        await _tidy_up(files, manifest, update)
        return manifest
    if update.failed:
        return await _go_back(recipe, files, lease, manifest, update)
    return (await carry_out(update, recipe, files, lease, manifest)).manifest


async def carry_out(
    update: PendingUpdate,
    recipe: KnowledgeRecipe,
    files: RunFiles,
    lease: Lease,
    manifest: KnowledgeBaseManifest,
    *,
    builder: KnowledgeBaseBuilder | None = None,
    progress: Progress | None = None,
) -> Built:
    """Do an update that is written down.

    Raises:
        KnowledgeBuildError: a step failed; the stores hold again what they held.
    """
    work = UpdateWork(update, recipe, files, lease, manifest, builder or KnowledgeBaseBuilder(), progress)
    result = await work.by_delta() if work.fits else await work.in_full()
    if work.fits and isinstance(result.failure, LostArtifactError):
        result = await work.in_full()
    if result.failure is not None:
        error = build_error(replace(manifest, run_record=result.record), result.failure)
        await _give_up(work, error)
        raise error from result.failure
    record = work.record_of(result)
    if update.takes_away:
        unpurged = await purge_stores(recipe, made_in_stores(recipe, record.artifacts))
        record = replace(record, issues=with_more(record.issues, unpurged))
    updated = replace(manifest, updated_at=now(), run_record=record)
    await files.write_state(updated.run_record)
    await files.finish(updated)
    await _tidy_up(files, updated, update)
    return Built(updated)


async def _give_up(work: UpdateWork, error: KnowledgeBuildError) -> None:
    try:
        await work.files.write_pending_update(replace(work.update, failed=True).to_dict())
        await _go_back(work.recipe, work.files, work.lease, work.manifest, work.update)
    except Exception as also:  # noqa: BLE001 - whatever failed the update may be gone for good: the first error counts
        error.add_note(f"the stores are not what they were yet, the next load() sees to it: {also}")


async def _go_back(
    recipe: KnowledgeRecipe, files: RunFiles, lease: Lease, manifest: KnowledgeBaseManifest, update: PendingUpdate
) -> KnowledgeBaseManifest:
    """Undo an update that failed; what it made of the documents that it was to add is forgotten."""
    built = await rebuild(recipe, files, lease, await files.standing(), manifest, everything=True)
    artifacts = built.manifest.run_record.artifacts
    await sweep_unreferenced(files.objects, artifacts, update.folders)
    await forget(files.objects, await keys_of_other_packs(files.objects, update.cache_packs))
    await purge_stores(recipe, made_in_stores(recipe, artifacts))
    forget_in_memory(artifacts)
    await files.clear_pending_update()
    return built.manifest


async def _tidy_up(files: RunFiles, manifest: KnowledgeBaseManifest, update: PendingUpdate) -> None:
    """After the manifest is written: nothing refers to what the update replaced."""
    artifacts = manifest.run_record.artifacts
    noted = {key async for key in noted_cache_keys(files.objects, update.noted)} if update.takes_away else set()
    await forget(files.objects, {*update.forget, *noted})
    await sweep_unreferenced(files.objects, artifacts, update.folders)
    if update.takes_away:
        await files.clear_other_runs(manifest.run_record.run_id)
        forget_in_memory(artifacts)
    await files.clear_pending_update()

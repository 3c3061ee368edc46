"""Builds again what a finished knowledge base has lost, from what was kept and from the step cache."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from heta_framework.kb.delta import Delta
from heta_framework.kb.lifecycle.building import BuildPlan, Built, run
from heta_framework.kb.lifecycle.inputs import earlier_inputs
from heta_framework.kb.lifecycle.sources import documents_as_built
from heta_framework.kb.lifecycle.step_identity import recorded_identities

if TYPE_CHECKING:
    from heta_framework.kb.lifecycle.lease import Lease
    from heta_framework.kb.lifecycle.run_files import RunFiles, Standing
    from heta_framework.kb.manifest import KnowledgeBaseManifest
    from heta_framework.kb.recipe import KnowledgeRecipe


async def rebuild(
    recipe: KnowledgeRecipe,
    files: RunFiles,
    lease: Lease,
    standing: Standing,
    manifest: KnowledgeBaseManifest,
    *,
    everything: bool = False,
) -> Built:
    """Run the steps whose results are gone; the record's word is taken for the others.

    Where a step fails the knowledge base stays what it was, and the next `load` tries again.

    Args:
        everything: run all steps, because nobody knows what the stores hold.

    Raises:
        KnowledgeBuildError: a step failed.
    """
    record = manifest.run_record
    documents = await documents_as_built(files.objects, record.artifacts)
    plan = BuildPlan(
        recipe=recipe,
        name=manifest.name,
        description=manifest.description,
        inputs=earlier_inputs(record.artifacts),
        metadata=manifest.metadata,
        delta=Delta(documents=documents) if documents is not None else None,
        identities=recorded_identities(recipe, record),
        issues=record.issues,
    )
    believed = replace(record, step_records=()) if everything else record
    built = await run(plan, files, lease, replace(standing, record=believed), keep_manifest_on_failure=True)
    built.require_success()
    return built

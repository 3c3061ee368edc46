"""A new knowledge base, or one whose build did not finish: the same call begins it and takes it up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from heta_framework.kb.delta import Delta
from heta_framework.kb.errors import KnowledgeBaseAlreadyExistsError
from heta_framework.kb.lifecycle.building import BuildPlan, Built, object_store_of, run, run_in_memory
from heta_framework.kb.lifecycle.inputs import UPDATE_ARTIFACT, earlier_inputs
from heta_framework.kb.lifecycle.json_values import only_json_safe
from heta_framework.kb.lifecycle.lease import held
from heta_framework.kb.lifecycle.run_files import RunFiles, Standing
from heta_framework.kb.lifecycle.settling import settle_pending_update
from heta_framework.kb.lifecycle.sources import documents_after_updates
from heta_framework.kb.lifecycle.step_identity import inputs_identity

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol


async def create(plan: BuildPlan) -> Built:
    """Build it; nothing is written down where the recipe has no object store.

    Raises:
        KnowledgeBaseAlreadyExistsError: it has finished.
        KnowledgeBaseBusyError: it is being built at this moment.
    """
    objects = object_store_of(plan.recipe)
    if objects is None:
        return await run_in_memory(plan, None)
    files = RunFiles(objects, plan.name)
    async with held(objects, files.runtime) as lease:
        standing = await files.standing()
        if standing.finished:
            raise _taken(plan.name)
        standing = _of_these_inputs(standing, plan)
        built = await run(replace(plan, delta=await _updated(objects, standing)), files, lease, standing)
        settled = built.failure is None and await settle_pending_update(plan.recipe, files, lease, built.manifest)
        return Built(settled) if settled else built


def _taken(name: str) -> KnowledgeBaseAlreadyExistsError:
    error = KnowledgeBaseAlreadyExistsError(f"knowledge base already exists and succeeded: {name}")
    error.add_note("KnowledgeBase.load() opens it, update() changes it, delete() makes room for another.")
    return error


def _of_these_inputs(standing: Standing, plan: BuildPlan) -> Standing:
    """Where a knowledge base is begun anew with other inputs, what updates once did to it is past."""
    record = standing.record
    if record is None or inputs_identity(earlier_inputs(record.artifacts)) == inputs_identity(
        only_json_safe(plan.inputs)
    ):
        return standing
    kept = {key: value for key, value in record.artifacts.items() if key != UPDATE_ARTIFACT}
    return replace(standing, record=replace(record, artifacts=kept))


async def _updated(objects: ObjectStoreProtocol, standing: Standing) -> Delta | None:
    if standing.record is None:
        return None
    documents = await documents_after_updates(objects, standing.record.artifacts)
    return Delta(documents=documents) if documents is not None else None

"""From a recipe to a finished knowledge base: begun, taken up where it stopped, and written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import anyio

from heta_framework.kb.builder import KnowledgeBaseBuilder, new_run_id
from heta_framework.kb.delta import Delta
from heta_framework.kb.errors import KnowledgeBuildError
from heta_framework.kb.lifecycle.clock import now
from heta_framework.kb.lifecycle.inputs import starting_artifacts
from heta_framework.kb.lifecycle.json_values import is_json_safe, is_note
from heta_framework.kb.lifecycle.lease import Lease
from heta_framework.kb.lifecycle.run_files import RunFiles, Standing
from heta_framework.kb.lifecycle.run_issues import with_more
from heta_framework.kb.lifecycle.step_identity import step_identities
from heta_framework.kb.manifest import MANIFEST_SCHEMA_VERSION, KnowledgeBaseManifest
from heta_framework.kb.run_record import RecipeRunRecord, RecipeRunResult
from heta_framework.kb.run_state import RecipeRunState

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.context import Progress
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.steps.issues import StepIssue

OnError = Literal["raise", "record"]


@dataclass(frozen=True)
class BuildPlan:
    """What is to be built.

    Attributes:
        inputs: the initial artifacts.
        delta: which documents; by default what the inputs say.
        identities: fingerprints of the steps, where those of the record are to be believed; None computes them.
        issues: what was reported before and still holds.
    """

    recipe: KnowledgeRecipe
    name: str
    description: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    builder: KnowledgeBaseBuilder | None = None
    progress: Progress | None = None
    delta: Delta | None = None
    identities: tuple[str, ...] | None = None
    issues: tuple[StepIssue, ...] = ()


@dataclass(frozen=True)
class Built:
    """What came of it.

    Attributes:
        manifest: its run record holds all artifacts, also those that JSON cannot hold.
        failure: what the first failed step raised.
    """

    manifest: KnowledgeBaseManifest
    failure: Exception | None = None

    def require_success(self) -> None:
        """Raise `KnowledgeBuildError` where a step failed."""
        if self.failure is not None:
            raise build_error(self.manifest, self.failure) from self.failure


def object_store_of(recipe: KnowledgeRecipe) -> ObjectStoreProtocol | None:
    """The recipe's object store; None where it has none, or something else in its place."""
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

    store = recipe.stores.objects
    return store if isinstance(store, ObjectStoreProtocol) else None


async def run(
    plan: BuildPlan, files: RunFiles, lease: Lease, standing: Standing, *, keep_manifest_on_failure: bool = False
) -> Built:
    """Go on from where a knowledge base stands, with the same run id, and write down what comes of it.

    Args:
        keep_manifest_on_failure: leave the manifest of a finished knowledge base as it is where its repair fails.
    """
    run_id = standing.run_id or new_run_id()
    earlier = standing.record
    state = RecipeRunState(
        run_id=run_id,
        started_at=earlier.started_at if earlier else now(),
        issues=with_more(plan.issues, standing.issues),
        object_store=files.objects,
        state_key=files.runtime.state_key(run_id),
        name=plan.name,
        guard=lease.check,
    )
    await files.begin(run_id)
    try:
        result = await _build(plan, state, earlier)
        built = _built(plan, result, standing.manifest.created_at if standing.manifest else state.started_at)
        await _write_down(files, built, keep_manifest=keep_manifest_on_failure)
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True):
            await files.unfinished(run_id, "cancelled")
        raise
    return built


async def run_in_memory(plan: BuildPlan, earlier: RecipeRunRecord | None) -> Built:
    """Build without an object store: nothing of the run outlives the process."""
    run_id = earlier.run_id if earlier else new_run_id()
    state = RecipeRunState(run_id=run_id, started_at=earlier.started_at if earlier else now(), name=plan.name)
    return _built(plan, await _build(plan, state, earlier), state.started_at)


def with_live_artifacts(record: RecipeRunRecord, live: RecipeRunRecord) -> RecipeRunRecord:
    """A record that was read, with the artifacts of the same run that only this process still holds."""
    if record.run_id != live.run_id:
        return record
    kept = {key: value for key, value in live.artifacts.items() if not is_json_safe(value) and not is_note(value)}
    written = {key: value for key, value in record.artifacts.items() if not (key in kept and is_note(value))}
    return replace(record, artifacts={**kept, **written})


def build_error(manifest: KnowledgeBaseManifest, failure: Exception) -> KnowledgeBuildError:
    """The error that says which step failed, at which document, and why."""
    record = manifest.run_record
    step = next((one.step_name for one in record.step_records if one.status == "failed"), "the run itself")
    document = getattr(failure, "document", None)
    at = f" at {document!r}" if document else ""
    return KnowledgeBuildError(
        f"knowledge base {manifest.name!r}: step {step!r} failed{at}: {type(failure).__name__}: {failure}",
        step=step,
        document=document,
        run_record=record,
    )


async def _build(plan: BuildPlan, state: RecipeRunState, earlier: RecipeRunRecord | None) -> RecipeRunResult:
    builder = plan.builder or KnowledgeBaseBuilder()
    return await (builder.resuming() if earlier else builder).build(
        plan.recipe,
        initial_artifacts=starting_artifacts(plan.name, plan.inputs, earlier.artifacts if earlier else {}),
        previous_record=earlier,
        run_state=state,
        progress=plan.progress,
        delta=plan.delta,
        identities=plan.identities or step_identities(plan.recipe, plan.inputs),
    )


def _built(plan: BuildPlan, result: RecipeRunResult, created_at: str) -> Built:
    manifest = KnowledgeBaseManifest(
        schema_version=MANIFEST_SCHEMA_VERSION,
        name=plan.name,
        description=plan.description,
        created_at=created_at,
        updated_at=now(),
        recipe=plan.recipe.manifest(),
        run_record=result.record,
        metadata=plan.metadata,
    )
    return Built(manifest, result.failure)


async def _write_down(files: RunFiles, built: Built, *, keep_manifest: bool) -> None:
    try:
        if built.failure is not None and keep_manifest:
            await files.unfinished(built.manifest.run_record.run_id, "failed")
        else:
            await files.finish(built.manifest)
    except Exception as error:  # the store that failed a step refuses the record as well: the step's error counts
        if built.failure is None:
            raise
        built.failure.add_note(f"the run could not be written down either: {type(error).__name__}: {error}")

"""Runs the steps of a recipe, one after another, and keeps account of them."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.delta import Delta
from heta_framework.kb.lifecycle.clock import now
from heta_framework.kb.lifecycle.run_issues import lost_artifact_issue
from heta_framework.kb.lifecycle.step_identity import step_identities
from heta_framework.kb.lifecycle.step_progress import StepProgress
from heta_framework.kb.lifecycle.step_walk import StepWalk
from heta_framework.kb.run_record import RecipeRunRecord, RecipeRunResult
from heta_framework.kb.run_state import RecipeRunState
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.errors import LostArtifactError

if TYPE_CHECKING:
    from heta_framework.kb.context import Progress
    from heta_framework.kb.recipe import KnowledgeRecipe

_DEFAULT_NAMESPACE = "default"


@dataclass(frozen=True)
class KnowledgeBaseBuilderConfig:
    """How a builder goes about its work.

    Attributes:
        stop_on_error: end the run at the first step that fails; else the others are tried.
        skip_succeeded_steps: pass over steps that the previous record says are done and that would do the same again.
    """

    stop_on_error: bool = True
    skip_succeeded_steps: bool = False


class KnowledgeBaseBuilder:
    """Runs recipes. A step that fails makes the run fail and raises nothing: see the record."""

    def __init__(self, config: KnowledgeBaseBuilderConfig | None = None) -> None:
        self.config = config or KnowledgeBaseBuilderConfig()

    def resuming(self) -> KnowledgeBaseBuilder:
        """The same builder, passing over what is done."""
        resuming = copy.copy(self)
        resuming.config = replace(self.config, skip_succeeded_steps=True)
        return resuming

    async def build(
        self,
        recipe: KnowledgeRecipe,
        *,
        initial_artifacts: Mapping[str, Any] | None = None,
        previous_record: RecipeRunRecord | None = None,
        run_state: RecipeRunState | None = None,
        progress: Progress | None = None,
        delta: Delta | None = None,
        identities: tuple[str, ...] | None = None,
    ) -> RecipeRunResult:
        """Run the steps.

        Args:
            initial_artifacts: what the steps find before the first of them ran; ``kb_namespace`` names the knowledge
                base's own part of the stores.
            previous_record: of an earlier run of the same knowledge base.
            run_state: where the run is written down; None keeps it in memory.
            progress: called with a step's name, how much is done, and of how much (None: not known).
            delta: an update instead of a build.
            identities: fingerprints of the steps, where they are not to be computed.

        Raises:
            CancelledError: the run was cancelled; it is written down as cancelled and can be resumed.
            KnowledgeBaseBusyError: another build of the same knowledge base has taken over.
        """
        initial = dict(initial_artifacts or {})
        state = run_state or RecipeRunState.start(run_id=new_run_id(), started_at=now())
        identities = identities or step_identities(recipe, inputs_of(initial))
        run = _Run(recipe, initial, state, StepProgress(progress), self.config, identities)
        previous = previous_record if self.config.skip_succeeded_steps else None
        result = await run.once(delta or Delta(), previous)
        if (delta is None or delta.full) and isinstance(result.failure, LostArtifactError):
            state.begin_again(lost_artifact_issue(result.failure))
            result = await run.once(Delta(documents=delta.documents if delta else None), None)
        return result


@dataclass(frozen=True)
class _Run:
    recipe: KnowledgeRecipe
    initial: Mapping[str, Any]
    state: RecipeRunState
    progress: StepProgress
    config: KnowledgeBaseBuilderConfig
    identities: tuple[str, ...]

    async def once(self, delta: Delta, previous: RecipeRunRecord | None) -> RecipeRunResult:
        context = StepExecutionContext(
            self.recipe,
            dict(self.initial),
            namespace=str(self.initial.get(NAMESPACE_ARTIFACT, _DEFAULT_NAMESPACE)),
            delta=delta,
            progress=self.progress,
        )
        walk = StepWalk(context, self.state, self.progress, identities=self.identities, previous=previous)
        failure = await walk.through(self.recipe.expanded_steps(), stop_on_error=self.config.stop_on_error)
        record = self.state.to_record(artifacts=context.artifacts)
        return RecipeRunResult(record, record.artifacts, record.capabilities, record.issues, failure)


def new_run_id() -> str:
    """An id that no other run has."""
    return f"run_{uuid.uuid4().hex}"


def inputs_of(artifacts: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the artifacts that the caller gave: all but the knowledge base's own notes, which begin with ``kb_``."""
    return {key: value for key, value in artifacts.items() if not key.startswith("kb_")}

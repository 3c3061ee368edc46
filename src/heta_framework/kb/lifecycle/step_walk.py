"""The walk through the steps of one run: which are passed over, which are run, and what is written down of each.

In a build from nothing, a step that succeeded is written down together with what comes at once behind it: the beginning
of the next step, or the end of the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anyio

from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.errors import KnowledgeBaseBusyError
from heta_framework.kb.lifecycle.clock import now
from heta_framework.kb.lifecycle.earlier_run import EarlierRun
from heta_framework.kb.lifecycle.run_issues import with_more
from heta_framework.kb.lifecycle.step_progress import StepProgress
from heta_framework.kb.run_record import RecipeRunRecord, RecipeRunStatus, StepRunRecord, StepRunStatus
from heta_framework.kb.run_state import RecipeRunState
from heta_framework.kb.steps.protocol import KnowledgeStepProtocol


class StepWalk:
    """Goes through the steps of a run."""

    def __init__(
        self,
        context: StepExecutionContext,
        state: RecipeRunState,
        progress: StepProgress,
        *,
        identities: tuple[str, ...],
        previous: RecipeRunRecord | None,
    ) -> None:
        """Set out.

        Args:
            identities: fingerprints of the steps.
            previous: the run whose results may stand; None runs every step.
        """
        self._context = context
        self._state = state
        self._progress = progress
        self._identities = identities
        self._earlier = EarlierRun(previous, identities)
        self._resumed = previous is not None

    async def through(self, steps: Sequence[KnowledgeStepProtocol], *, stop_on_error: bool) -> Exception | None:
        """Go through all steps; the first failure, or None."""
        failures: list[Exception] = []
        try:
            for index, step in enumerate(steps):
                failure = await self._past(index, step, steps[index + 1 :])
                failures += [failure] if failure else []
                if failure and stop_on_error:
                    break
            await self._end("failed" if failures else "succeeded", quietly=bool(failures))
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._end("cancelled", quietly=True)
            raise
        return failures[0] if failures else None

    async def _past(
        self, index: int, step: KnowledgeStepProtocol, later: Sequence[KnowledgeStepProtocol]
    ) -> Exception | None:
        """Run the step or pass over it; what it failed with, or None."""
        self._context.issues.clear()
        before = dict(self._context.artifacts)
        started_at = now()
        try:
            if await self._earlier.stands(index, step, later, self._context):
                await self._pass_over(index, step)
                return None
            self._progress.begins(step.name)
            running = self._record(index, step, "running", started_at)
            await self._state.start_step(running, artifacts=self._context.artifacts)
            await step.run(self._context)
            self._progress.ends(step.name)
            self._earlier.compare(index, before, self._context.artifacts)
            await self._finish(self._record(index, step, "succeeded", started_at, before), save=self._resumed)
        except KnowledgeBaseBusyError:
            raise
        except anyio.get_cancelled_exc_class() as stopped:
            self._keep(self._record(index, step, "failed", started_at, before, _said(stopped)))
            raise
        except Exception as error:  # noqa: BLE001 - a step is a plugin: whatever it raises is its failure, not the builder's
            failed = self._record(index, step, "failed", started_at, before, _said(error))
            await self._finish(failed, quietly_because_of=error)
            return error
        return None

    async def _pass_over(self, index: int, step: KnowledgeStepProtocol) -> None:
        earlier = self._earlier.record(index)
        skipped = StepRunRecord(
            index=index,
            step_name=step.name,
            step_type=type(step).__name__,
            status="skipped",
            started_at=earlier.started_at,
            finished_at=earlier.finished_at,
            requirements=step.requirements,
            capabilities=step.capabilities,
            input_artifacts=earlier.input_artifacts,
            output_artifacts=earlier.output_artifacts,
            issues=earlier.issues,
            identity=self._identities[index],
        )
        self._state.issues = with_more(self._state.issues, earlier.issues)
        await self._state.skip_step(skipped, artifacts=self._context.artifacts)

    async def _finish(
        self, record: StepRunRecord, *, save: bool = True, quietly_because_of: Exception | None = None
    ) -> None:
        issues = with_more(self._state.issues, record.issues)
        try:
            await self._state.finish_step(record, artifacts=self._context.artifacts, issues=issues, save=save)
        except KnowledgeBaseBusyError:
            raise
        except Exception as error:
            if quietly_because_of is None:
                raise
            quietly_because_of.add_note(f"the run could not be written down either: {_said(error)}")

    def _keep(self, record: StepRunRecord) -> None:
        """Take the record in without writing: the end of the run is written next."""
        self._state.step_records = (*(one for one in self._state.step_records if one.index != record.index), record)
        self._state.issues = with_more(self._state.issues, record.issues)

    async def _end(self, status: RecipeRunStatus, *, quietly: bool) -> None:
        try:
            await self._state.finish_run(
                status=status, finished_at=now(), artifacts=self._context.artifacts, issues=self._state.issues
            )
        except KnowledgeBaseBusyError:
            raise
        except Exception:  # the failure that ends the run says more than a store that refuses its record
            if not quietly:
                raise

    def _record(
        self,
        index: int,
        step: KnowledgeStepProtocol,
        status: StepRunStatus,
        started_at: str,
        before: Mapping[str, Any] | None = None,
        error: str | None = None,
    ) -> StepRunRecord:
        return StepRunRecord(
            index=index,
            step_name=step.name,
            step_type=type(step).__name__,
            status=status,
            started_at=started_at,
            finished_at=None if status == "running" else now(),
            requirements=step.requirements,
            capabilities=step.capabilities,
            input_artifacts=tuple(sorted(step.requirements.artifacts)),
            output_artifacts=_set_since(before, self._context.artifacts),
            issues=tuple(self._context.issues),
            error=error,
            identity=self._identities[index],
        )


def _set_since(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys that were set: new ones, and those that hold another object."""
    if before is None:
        return ()
    return tuple(sorted(key for key, value in after.items() if key not in before or before[key] is not value))


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"

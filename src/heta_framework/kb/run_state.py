"""A run while it goes on: written down as each step begins and when it ends, to be taken up wherever it stopped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.kb.lifecycle.json_values import only_json_safe
from heta_framework.kb.lifecycle.sealed_json import seal, unseal
from heta_framework.kb.run_record import (
    RecipeRunRecord,
    RecipeRunStatus,
    StepRunRecord,
    capabilities_of,
    issues_from,
)
from heta_framework.kb.steps.issues import StepIssue
from heta_framework.kb.steps.protocol import StepCapabilities

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol


class RecipeRunState:
    """The state of a run; without an object store it lives in memory alone.

    Attributes:
        step_records: of the steps that are finished, by their order.
        current_step: the step that is running.
        name: of the knowledge base that is built.
        guard: asked before every write; raises where another build has taken over.
    """

    def __init__(
        self,
        *,
        run_id: str,
        started_at: str,
        status: RecipeRunStatus = "running",
        finished_at: str | None = None,
        step_records: tuple[StepRunRecord, ...] = (),
        current_step: StepRunRecord | None = None,
        artifacts: Mapping[str, Any] | None = None,
        issues: tuple[StepIssue, ...] = (),
        object_store: ObjectStoreProtocol | None = None,
        state_key: str | None = None,
        name: str | None = None,
        guard: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.run_id = run_id
        self.started_at = started_at
        self.status: RecipeRunStatus = status
        self.finished_at = finished_at
        self.step_records = tuple(step_records)
        self.current_step = current_step
        self.artifacts = dict(artifacts or {})
        self.issues = tuple(issues)
        self.name = name
        self.guard = guard
        self._object_store = object_store
        self._state_key = state_key

    @classmethod
    def start(
        cls,
        *,
        run_id: str,
        started_at: str,
        object_store: ObjectStoreProtocol | None = None,
        state_key: str | None = None,
    ) -> RecipeRunState:
        """A run that begins."""
        return cls(run_id=run_id, started_at=started_at, object_store=object_store, state_key=state_key)

    @classmethod
    def of(cls, record: RecipeRunRecord, *, name: str) -> RecipeRunState:
        """The state of a run that is over."""
        return cls(
            run_id=record.run_id,
            started_at=record.started_at,
            status=record.status,
            finished_at=record.finished_at,
            step_records=record.step_records,
            artifacts=record.artifacts,
            issues=record.issues,
            name=name,
        )

    @classmethod
    async def load(cls, *, object_store: ObjectStoreProtocol, state_key: str) -> RecipeRunState:
        """The state that was saved last.

        Raises:
            TornRecordError: it is cut or altered.
        """
        data = unseal(await object_store.get(state_key))
        return cls.from_dict(data, object_store=object_store, state_key=state_key)

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        *,
        object_store: ObjectStoreProtocol | None = None,
        state_key: str | None = None,
    ) -> RecipeRunState:
        """From what `to_dict` gave."""
        current = data["current_step"]
        return cls(
            run_id=data["run_id"],
            started_at=data["started_at"],
            status=data["status"],
            finished_at=data["finished_at"],
            step_records=tuple(StepRunRecord.from_dict(record) for record in data["step_records"]),
            current_step=StepRunRecord.from_dict(current) if current else None,
            artifacts=data["artifacts"],
            issues=issues_from(data["issues"]),
            object_store=object_store,
            state_key=state_key,
            name=data.get("name"),
        )

    async def save(self) -> None:
        """Write the state down; durable when this returns."""
        if self.guard is not None:
            await self.guard()
        if self._object_store is not None and self._state_key is not None:
            data = await to_thread.run_sync(seal, self.to_dict())
            await self._object_store.put(self._state_key, data)

    def begin_again(self, issue: StepIssue) -> None:
        """The run starts from its first step; the issue says why."""
        self.status, self.finished_at = "running", None
        self.step_records, self.issues = (), (issue,)

    async def start_step(self, record: StepRunRecord, *, artifacts: Mapping[str, Any]) -> None:
        """A step begins."""
        self.current_step = record
        self.artifacts = dict(artifacts)
        await self.save()

    async def skip_step(self, record: StepRunRecord, *, artifacts: Mapping[str, Any]) -> None:
        """A step is passed over: what it makes is there."""
        self._append(record, artifacts)
        await self.save()

    async def finish_step(
        self,
        record: StepRunRecord,
        *,
        artifacts: Mapping[str, Any],
        issues: tuple[StepIssue, ...] = (),
        save: bool = True,
    ) -> None:
        """A step is over, well or not.

        Args:
            issues: those of the run so far.
            save: False where the next step, or the end of the run, is written down at once.
        """
        self._append(record, artifacts)
        self.issues = tuple(issues) or self.issues
        if save:
            await self.save()

    async def finish_run(
        self,
        *,
        status: RecipeRunStatus,
        finished_at: str,
        artifacts: Mapping[str, Any],
        issues: tuple[StepIssue, ...],
    ) -> None:
        """The run is over."""
        self.status = status
        self.finished_at = finished_at
        self.current_step = None
        self.artifacts = dict(artifacts)
        self.issues = tuple(issues)
        await self.save()

    def to_record(
        self,
        *,
        artifacts: Mapping[str, Any] | None = None,
        capabilities: StepCapabilities | None = None,
        issues: tuple[StepIssue, ...] | None = None,
    ) -> RecipeRunRecord:
        """The run as it stands."""
        return RecipeRunRecord(
            run_id=self.run_id,
            status=self.status,
            started_at=self.started_at,
            finished_at=self.finished_at,
            step_records=self.step_records,
            artifacts=self.artifacts if artifacts is None else artifacts,
            capabilities=capabilities_of(self.step_records) if capabilities is None else capabilities,
            issues=self.issues if issues is None else issues,
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe; artifacts that JSON cannot hold are left out."""
        return {
            "run_id": self.run_id,
            "name": self.name,
            "status": self.status,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "current_step": self.current_step.to_dict() if self.current_step else None,
            "step_records": [record.to_dict() for record in self.step_records],
            "artifacts": only_json_safe(self.artifacts),
            "issues": [asdict(issue) for issue in self.issues],
        }

    def _append(self, record: StepRunRecord, artifacts: Mapping[str, Any]) -> None:
        self.current_step = None
        self.step_records = (*self.step_records, record)
        self.artifacts = dict(artifacts)

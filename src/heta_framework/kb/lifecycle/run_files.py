"""A knowledge base's own files: read with care, because a process may have died while it wrote one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.kb.lifecycle.run_issues import torn_record_issue
from heta_framework.kb.lifecycle.sealed_json import TornRecordError, seal, unseal
from heta_framework.kb.manifest import KnowledgeBaseManifest
from heta_framework.kb.run_record import RecipeRunRecord, RecipeRunStatus
from heta_framework.kb.run_state import RecipeRunState
from heta_framework.kb.runtime import KnowledgeBaseRuntime

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.steps.issues import StepIssue


@dataclass(frozen=True)
class Standing:
    """What an object store says of a knowledge base.

    Attributes:
        latest: run id and status of the last run.
        manifest: None where no build came to its end.
        record: how far the last run came.
        issues: files that are damaged; they count as missing.
    """

    latest: dict[str, Any] | None
    manifest: KnowledgeBaseManifest | None
    record: RecipeRunRecord | None
    issues: tuple[StepIssue, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether there is a finished knowledge base and nothing has touched it since."""
        return (
            self.latest is not None
            and self.latest["status"] == "succeeded"
            and self.manifest is not None
            and self.manifest.run_record.status == "succeeded"
        )

    @property
    def run_id(self) -> str | None:
        """The run that a resumed build goes on with."""
        if self.latest is not None:
            return str(self.latest["run_id"])
        return self.manifest.run_record.run_id if self.manifest else None


class RunFiles:
    """Reads and writes the files of one knowledge base. Each is written whole and carries a checksum."""

    def __init__(self, objects: ObjectStoreProtocol, name: str) -> None:
        self.objects = objects
        self.runtime = KnowledgeBaseRuntime(name)
        self._issues: list[StepIssue] = []

    async def standing(self) -> Standing:
        """What is there.

        Raises:
            ValueError: the folder belongs to a knowledge base of another name.
        """
        outline = await self.outline()
        return replace(outline, record=await self._record(outline), issues=tuple(self._issues))

    async def outline(self) -> Standing:
        """What is there, without how far the last run came; raises as `standing` does."""
        self._issues.clear()
        latest = await self._read(self.runtime.latest_run_key)
        data = await self._read(self.runtime.manifest_key)
        manifest = KnowledgeBaseManifest.from_dict(data) if data else None
        self._require_own(latest.get("name") if latest else None, manifest.name if manifest else None)
        return Standing(latest, manifest, None, tuple(self._issues))

    async def begin(self, run_id: str) -> None:
        """A run of this id begins."""
        await self._write_latest(run_id, "running")

    async def finish(self, manifest: KnowledgeBaseManifest) -> None:
        """The run of the manifest is over; the manifest comes last."""
        record = manifest.run_record
        await self._write(self.runtime.record_key(record.run_id), record.to_dict())
        await self._write_latest(record.run_id, record.status)
        await self._write(self.runtime.manifest_key, manifest.to_dict())

    async def unfinished(self, run_id: str, status: RecipeRunStatus) -> None:
        """The run stopped before its end."""
        await self._write_latest(run_id, status)

    async def clear_other_runs(self, run_id: str) -> None:
        """Remove the states and records of earlier runs."""
        own = f"{self.runtime.run_prefix(run_id)}/"
        for info in await self.objects.list(f"{self.runtime.prefix}/runs/"):
            if not info.key.startswith(own):
                await discard(self.objects, info.key)

    async def write_state(self, record: RecipeRunRecord) -> None:
        """The state of a run that is over."""
        state = RecipeRunState.of(record, name=self.runtime.name)
        await self._write(self.runtime.state_key(record.run_id), state.to_dict())

    async def read_pending_update(self) -> dict[str, Any] | None:
        """The update that has begun and not finished; None also where its file is damaged: then it never began."""
        return await self._read(self.runtime.pending_update_key)

    async def write_pending_update(self, update: dict[str, Any]) -> None:
        """An update begins."""
        await self._write(self.runtime.pending_update_key, update)

    async def clear_pending_update(self) -> None:
        """The update is over."""
        await discard(self.objects, self.runtime.pending_update_key)

    async def _record(self, standing: Standing) -> RecipeRunRecord | None:
        if standing.run_id is None:
            return None
        key = self.runtime.state_key(standing.run_id)
        data = await self._read(key)
        if data is None:
            return None
        self._require_own(data.get("name"))
        return RecipeRunState.from_dict(data).to_record()

    async def _read(self, key: str) -> dict[str, Any] | None:
        try:
            return await to_thread.run_sync(unseal, await self.objects.get(key))
        except FileNotFoundError:
            return None
        except TornRecordError as error:
            self._issues.append(torn_record_issue(key, str(error)))
            return None

    async def _write(self, key: str, payload: dict[str, Any]) -> None:
        await self.objects.put(key, await to_thread.run_sync(seal, payload))

    async def _write_latest(self, run_id: str, status: str) -> None:
        latest = {
            "run_id": run_id,
            "state_key": self.runtime.state_key(run_id),
            "record_key": self.runtime.record_key(run_id),
            "status": status,
            "name": self.runtime.name,
        }
        await self._write(self.runtime.latest_run_key, latest)

    def _require_own(self, *names: str | None) -> None:
        for name in names:
            if name is not None and name != self.runtime.name:
                raise ValueError(
                    f"{self.runtime.prefix} belongs to the knowledge base {name!r}, not to {self.runtime.name!r}; "
                    "choose another name"
                )


async def discard(objects: ObjectStoreProtocol, key: str) -> None:
    """Delete an object that may be gone already."""
    with suppress(FileNotFoundError):
        await objects.delete(key)

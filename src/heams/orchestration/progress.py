"""Counts of a running experiment, and their way into ``run_status.json``."""

from datetime import UTC, datetime
from time import monotonic
from typing import Literal

from heams.orchestration.folder import ExperimentFolder
from heams.orchestration.results import RunResult, RunStatus
from heams.orchestration.store import StoreError

WRITE_EVERY_S = 1.0


class StatusKeeper:
    """Counts durable final results and rewrites the status file at most once a second."""

    def __init__(
        self,
        folder: ExperimentFolder,
        *,
        name: str,
        run_id: str,
        total: int,
        finished: int,
        skipped: int,
        limit: int | None,
    ) -> None:
        self._folder = folder
        self._written = 0.0
        now = datetime.now(UTC)
        self.status = RunStatus(
            run_id=run_id, name=name, state="running", total=total, finished=finished, errors=0,
            skipped=skipped, limit=limit, started_at=now, updated_at=now,
        )  # fmt: skip
        self._write()

    def count(self, result: RunResult) -> None:
        """Take a durable final result into account."""
        failed = result.status == "error"
        self._update(finished=self.status.finished + (not failed), errors=self.status.errors + failed, state="running")
        if monotonic() - self._written >= WRITE_EVERY_S:
            self._write()

    def end(self, state: Literal["completed", "interrupted", "failed"], message: str | None = None) -> RunStatus:
        """Write the final state."""
        self._update(state=state, message=message)
        self._write()
        return self.status

    def _update(self, **changes: object) -> None:
        self.status = self.status.model_copy(update={**changes, "updated_at": datetime.now(UTC)})

    def _write(self) -> None:
        try:
            self._folder.write_status(self.status)
        except OSError as cause:
            place = self._folder.path
            raise StoreError(f"cannot write the run's status to {place}: {cause.strerror or cause}") from cause
        self._written = monotonic()


def widest_limit(limit: int | None, earlier: RunStatus | None) -> int | None:
    """The limit under which the run as a whole stands: the widest that any of its processes was given."""
    if earlier is None:
        return limit
    return None if limit is None or earlier.limit is None else max(limit, earlier.limit)

"""One process at a time writes a report's cases."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from heta_framework.evaluation.errors import ReportBusyError

_LOCK_FILE = "cases.jsonl.lock"


class OneWriter:
    """Held from its making until `release`, or until the process ends, however it ends.

    Raises:
        ReportBusyError: another holds it.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(folder / _LOCK_FILE, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ReportBusyError(
                f"{folder}: another run is writing this report; wait for its end, or choose another report_id"
            ) from None

    def release(self) -> None:
        """Let others write."""
        self._lock.release()

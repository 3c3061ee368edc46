"""Memory states saved after a history was heard, so that a resumed run does not hear it again."""

import json
import shutil
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from heams.memory.base import Memory
from heams.orchestration.files import file_name_for, replace_file
from heams.scenarios.actions import SharedHistory
from heams.scenarios.clock import Instant

_MARKER = "snapshot.json"


@dataclass(frozen=True, slots=True)
class SnapshotShelf:
    """The snapshots of one run. A snapshot counts only when it is complete and was made from the same events."""

    directory: Path
    run_id: str

    async def keep(self, history: SharedHistory, memory: Memory, now: Instant | None) -> str:
        """Save the memory's state; return the snapshot's id."""
        final = self._folder(history)
        building = final.with_name(f".{final.name}.building")
        shutil.rmtree(building, ignore_errors=True)
        (building / "state").mkdir(parents=True)
        await memory.persist(building / "state")
        marker = {"history_sha256": content_hash(history), "now": now.isoformat() if now else None}
        replace_file(building / _MARKER, json.dumps(marker))
        shutil.rmtree(final, ignore_errors=True)
        building.rename(final)
        return final.name

    def has(self, history: SharedHistory) -> bool:
        """Whether a usable snapshot exists."""
        return self._marker(history) is not None

    async def load(self, history: SharedHistory, memory: Memory) -> Instant | None:
        """Restore a state that ``has`` confirmed; return the time at the end of the history."""
        await memory.restore(self._folder(history) / "state")
        now = (self._marker(history) or {}).get("now")
        return datetime.fromisoformat(now) if now else None

    def discard(self, history: SharedHistory) -> None:
        """Remove a snapshot that cannot be restored."""
        shutil.rmtree(self._folder(history), ignore_errors=True)

    def _marker(self, history: SharedHistory) -> dict[str, str | None] | None:
        try:
            marker: dict[str, str | None] = json.loads((self._folder(history) / _MARKER).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return marker if marker.get("history_sha256") == content_hash(history) else None

    def _folder(self, history: SharedHistory) -> Path:
        return self.directory / f"{self.run_id}.{file_name_for(history.id)}"


def content_hash(history: SharedHistory) -> str:
    """sha256 over a history's events."""
    return sha256(history.model_dump_json().encode("utf-8")).hexdigest()

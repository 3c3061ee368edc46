"""Whether a process of this machine still runs, and is the one that it was."""

from __future__ import annotations

from pathlib import Path

UNKNOWN = "unknown"
_ZOMBIE = "Z"
_STATE = 0
_START_TIME = 19


def process_token(pid: int) -> str | None:
    """What tells this process from a later one of the same id; None where no such process runs.

    Read from ``/proc`` (Linux): the time at which the process began. Elsewhere `UNKNOWN`, of every id.
    """
    if not Path("/proc/self/stat").exists():
        return UNKNOWN
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # the name in parentheses may hold anything
    return None if fields[_STATE] == _ZOMBIE else fields[_START_TIME]

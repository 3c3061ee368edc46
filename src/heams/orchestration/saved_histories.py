"""Shared histories on disk: each stored once, and never overwritten by a later run whose data differs."""

from pathlib import Path

from heams.orchestration.files import file_name_for, replace_file
from heams.scenarios.actions import SharedHistory

FOLDER = "histories"


def save_history(history: SharedHistory, directory: Path, run_id: str) -> None:
    """Write ``histories/<history_id>.jsonl``, one event a line.

    Where an earlier run stored other events under the same id, this run's go to ``<history_id>.<run_id>.jsonl``.
    """
    content = "".join(f"{event.model_dump_json(exclude_none=True)}\n" for event in history.events).encode("utf-8")
    common, own = _common(directory, history.id), _own(directory, history.id, run_id)
    common.parent.mkdir(exist_ok=True)
    if not common.exists():
        replace_file(common, content)
    elif not own.exists() and common.read_bytes() != content:
        replace_file(own, content)


def history_file(directory: Path, history_id: str, run_id: str) -> Path:
    """Where the events are that ``run_id`` played on."""
    own = _own(directory, history_id, run_id)
    return own if own.is_file() else _common(directory, history_id)


def _common(directory: Path, history_id: str) -> Path:
    return directory / FOLDER / f"{file_name_for(history_id)}.jsonl"


def _own(directory: Path, history_id: str, run_id: str) -> Path:
    return directory / FOLDER / f"{file_name_for(history_id)}.{run_id}.jsonl"

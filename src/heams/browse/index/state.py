"""Whether the files of an experiment are still those that were read."""

from pathlib import Path

_FILES = ("runs.jsonl", "run_status.json", "ingests.jsonl", "texts.jsonl")


def state_of(directory: Path, run_id: str) -> str:
    """A text that changes whenever one of the files does."""
    return "-".join([run_id, *(_stamp(directory / name) for name in _FILES)])


def _stamp(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return "none"
    return f"{found.st_size:x}.{found.st_mtime_ns:x}"

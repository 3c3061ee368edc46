"""Appends a label to the file of an experiment: durable when it returns, whoever else is labelling."""

from pathlib import Path

from filelock import FileLock, Timeout

from heams.browse.labels.saved import FILE, SavedLabel
from heta_framework.common.durable_lines import AppendOnlyFile, torn_bytes

LOCK = ".human_labels.lock"
_PATIENCE_S = 10.0


class LabelNotSaved(Exception):  # noqa: N818 - named after what happened
    """A label could not be written; the message says why, and nothing was changed."""


def write_label(directory: Path, label: SavedLabel) -> None:
    """Append ``label`` to the labels in ``directory``.

    A last line that was cut off stays, so that readers can name it: it gets the newline that it lacks.

    Raises:
        LabelNotSaved: the folder cannot be written to, or another process holds the file for too long.
    """
    path, lock = directory / FILE, directory / LOCK
    linked = next((one.name for one in (path, lock) if one.is_symlink()), None)
    if linked is not None:
        raise LabelNotSaved(
            f"{directory}: {linked} is a link to another file, and labels are not written through links"
        )
    try:
        with FileLock(lock, timeout=_PATIENCE_S):
            _append(path, label.model_dump_json().encode() + b"\n")
    except Timeout:
        raise LabelNotSaved(
            f"{path}: another process has been writing labels for {_PATIENCE_S:g} s; try again"
        ) from None
    except OSError as cause:
        raise LabelNotSaved(f"{path}: the label could not be saved ({cause.strerror or cause})") from None


def _append(path: Path, line: bytes) -> None:
    torn = path.exists() and torn_bytes(path) > 0
    file = AppendOnlyFile(path)
    try:
        file.append(b"\n" + line if torn else line)
    finally:
        file.close()

"""The half-written last line that a killed process may leave behind."""

import os
from pathlib import Path

_STEP = 65_536


def cut_torn_line(path: Path) -> int:
    """Cut a last line without newline off a file; return the bytes that were cut, 0 where there was nothing to cut."""
    torn = torn_bytes(path) if path.is_file() else 0
    if torn:
        os.truncate(path, path.stat().st_size - torn)
    return torn


def torn_bytes(path: Path) -> int:
    """The length of the last line where it has no newline."""
    size = position = path.stat().st_size
    with path.open("rb") as file:
        tail = 0
        while position > 0:
            step = min(_STEP, position)
            position -= step
            file.seek(position)
            newline = file.read(step).rfind(b"\n")
            if newline >= 0:
                return tail + step - newline - 1
            tail += step
    return size

"""What a path of a configuration leads to, told without opening it: opening a pipe or a device may never return."""

import stat
from pathlib import Path

from heta_framework.common.config import nearest


def unusable(path: Path) -> str | None:
    """Why ``path`` is neither a regular file nor a folder; None where it is one."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "no such file or folder"
    except (OSError, ValueError) as cause:  # ValueError: a name that no file can have
        reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
        return f"this path cannot be used ({reason})"
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    return f"found {_kind(mode)}, which is neither a regular file nor a folder"


def nearby(path: Path) -> str:
    """What may be meant by a path that leads nowhere."""
    try:
        siblings = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        siblings = []
    near = nearest(path.name, siblings)
    if near is not None and near != path.name:
        return f"did you mean {near!r}?"
    shown = str(path)
    return f"looked for it at {shown}" if len(shown) <= 300 else f"looked for it in {str(path.parent)[:300]}"


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"

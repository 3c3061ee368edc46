"""Paths that data names: they stay below the folder they belong to, whatever ``..``, roots and links they hold."""

from pathlib import Path


def confined_path(root: Path, named: str) -> Path:
    """The real path of ``named``, relative to ``root`` or absolute, with every link followed.

    Raises:
        ValueError: it is not below ``root``; nothing there was read.
    """
    folder = root.resolve()
    try:
        found = (folder / named).resolve()
    except (ValueError, OSError, RuntimeError) as cause:
        raise ValueError(
            f"found the path {named!r}, which is none ({cause}); expected a path below {folder}"
        ) from cause
    if not found.is_relative_to(folder) or found == folder:
        raise ValueError(f"found the path {named!r}, which leads out of its folder; expected a path below {folder}")
    return found

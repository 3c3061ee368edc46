"""The project that a configuration file belongs to."""

from pathlib import Path


def project_root(file: Path) -> Path:
    """The folder that holds ``configs/``: looked for upwards from the file; its own folder if there is none.

    Relative paths in configuration files are relative to it.
    """
    folder = file.resolve().parent
    return next((parent for parent in (folder, *folder.parents) if (parent / "configs").is_dir()), folder)

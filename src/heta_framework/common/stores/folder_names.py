"""Names of collections and indexes as names of folders: any name is allowed, none can point elsewhere."""

from __future__ import annotations

from urllib.parse import quote, unquote

_LONGEST = 200


def folder_name(name: str) -> str:
    """The folder for a name: percent-encoded, so never "." or ".." and without separators.

    Raises:
        ValueError: the encoded name is too long for a file system.
    """
    safe = quote(name, safe="").replace(".", "%2E")
    if len(safe) > _LONGEST:
        raise ValueError(f"name {name[:40]!r}... is too long for a folder name ({len(safe)} of {_LONGEST} characters)")
    return safe


def name_of_folder(folder: str) -> str:
    """The name that `folder_name` encoded."""
    return unquote(folder)

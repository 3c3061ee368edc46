"""The identity of a file or folder by its content."""

import hashlib
from pathlib import Path


def file_fingerprint(path: Path) -> str:
    """Return the sha256 (64 hex digits) of a file's bytes, or of a folder's content.

    A folder's is the sha256 over its regular files in the order of their relative POSIX names, each as the name in
    UTF-8, a zero byte, the file's own sha256 in hex and a newline; as a name holds no zero byte, equal sums mean equal
    content. Empty folders and whatever is reached through a linked folder do not count. Raises OSError.
    """
    return _folder_sum(path) if path.is_dir() else _file_sum(path)


def _file_sum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _folder_sum(folder: Path) -> str:
    files = {_name(file, folder): file for file in folder.rglob("*") if file.is_file()}
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(name + b"\0" + _file_sum(files[name]).encode() + b"\n")
    return total.hexdigest()


def _name(file: Path, folder: Path) -> bytes:
    return file.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")

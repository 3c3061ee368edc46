"""The documents of a subset on disk: which file is which document, and which id it gets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from heta_framework.evaluation.types import BenchmarkDocument

_MEDIA_TYPES = {".pdf": "application/pdf", ".html": "text/html", ".htm": "text/html"}
_SEVERAL_NAMED = 5


def unit_ids(names: Iterable[str]) -> dict[str, str]:
    """An id for each document's name: its letters and digits, joined by ``_``; two that would share one get a hash."""
    plain = {name: re.sub(r"[\W_]+", "_", name).strip("_") for name in names}
    owners: dict[str, int] = {}
    for unit_id in plain.values():
        owners[unit_id] = owners.get(unit_id, 0) + 1
    return {
        name: unit_id if unit_id and owners[unit_id] == 1 else _distinct(unit_id, name)
        for name, unit_id in plain.items()
    }


def find_documents(root: Path, folder: str, names: Iterable[str]) -> dict[str, Path]:
    """The file of each document, anywhere below ``root``: those in ``folder`` first, PDF before HTML.

    Raises:
        FileNotFoundError: there is none for some of them.
    """
    files: dict[str, Path] = {}
    for path in sorted(_files(root), key=lambda path: _preference(path, folder)):
        files.setdefault(path.stem, path)
    wanted = list(names)
    missing = [name for name in wanted if name not in files]
    if missing:
        some = ", ".join(map(repr, missing[:_SEVERAL_NAMED])) + (", ..." if len(missing) > _SEVERAL_NAMED else "")
        raise FileNotFoundError(
            f"UDA: {len(missing)} of {len(wanted)} documents are not below {root}: {some}; expected files of these "
            "names that end in .pdf or .html"
        )
    return {name: files[name] for name in wanted}


def as_documents(
    paths: Mapping[str, Path], root: Path, ids: Mapping[str, str], subset: str
) -> Iterator[BenchmarkDocument]:
    """The documents that the runner reads; their metadata say where each is, relative to ``root``."""
    for name, path in paths.items():
        metadata = {"doc_name": name, "subset": subset, "source_path": path.relative_to(root).as_posix()}
        yield BenchmarkDocument(ids[name], path.name, _MEDIA_TYPES[path.suffix.lower()], path=path, metadata=metadata)


def _files(root: Path) -> Iterator[Path]:
    real = root.resolve()
    for path in root.rglob("*"):
        if path.suffix.lower() in _MEDIA_TYPES and path.is_file() and path.resolve().is_relative_to(real):
            yield path


def _preference(path: Path, folder: str) -> tuple[bool, bool, str]:
    return (folder not in path.parts, path.suffix.lower() != ".pdf", str(path))


def _distinct(unit_id: str, name: str) -> str:
    return f"{unit_id or 'document'}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"

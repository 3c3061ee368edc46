"""What a file must hash to: the registered sha256, the md5 that its source publishes, the sha256 recorded at first use.

The record lies beside the file as ``<name>.sha256``, in the format of the command ``sha256sum``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from heta_framework.common.datasets.entry import DatasetFile

_RECORD = re.compile(r"([0-9a-f]{64})(?:\s|$)")
_BLOCK = 1 << 20


def record_of(path: Path) -> Path:
    """Where the sha256 of what was first found at ``path`` is recorded."""
    return path.with_name(f"{path.name}.sha256")


def expected_digests(file: DatasetFile, path: Path) -> dict[str, str]:
    """Hex digests by algorithm, the deciding one first; empty where nothing is known yet."""
    if file.sha256:
        return {"sha256": file.sha256}
    recorded = _recorded(path)
    known = {"sha256": recorded, "md5": file.md5}
    return {algorithm: digest for algorithm, digest in known.items() if digest}


def digests(path: Path, algorithms: Iterable[str]) -> dict[str, str]:
    """The hex digests of a file, read once."""
    hashes = {algorithm: hashlib.new(algorithm, usedforsecurity=False) for algorithm in algorithms}
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            for running in hashes.values():
                running.update(block)
    return {algorithm: running.hexdigest() for algorithm, running in hashes.items()}


def first_difference(expected: Mapping[str, str], found: Mapping[str, str]) -> str | None:
    """The algorithm by which a file is another one."""
    return next((algorithm for algorithm, digest in expected.items() if found[algorithm] != digest), None)


def remember(file: DatasetFile, path: Path) -> None:
    """Record the sha256 of what is there, where neither the registry nor a record has one.

    A folder that cannot be written to is left as it is: its file is then checked by the published md5 alone.
    """
    if file.sha256 or _recorded(path):
        return
    digest = digests(path, ["sha256"])["sha256"]
    record = record_of(path)
    with suppress(OSError):
        new = record.with_name(f"{record.name}.part")
        new.write_text(f"{digest}  {path.name}\n", encoding="ascii")
        new.replace(record)


def _recorded(path: Path) -> str | None:
    try:
        match = _RECORD.match(record_of(path).read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        return None
    return match[1] if match else None

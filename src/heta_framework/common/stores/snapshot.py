"""One file that holds a store's state: a JSON header line, a payload and a checksum over both.

A snapshot is one file because only then is replacing it atomic: it is written beside its name, flushed to disk and
renamed. A reader sees the old state or the new one, and a cut or altered file is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_DIGEST_BYTES = hashlib.sha256().digest_size


class SnapshotError(ValueError):
    """A snapshot is missing, cut, altered or of another kind; the message names the file and what to do."""


def write_snapshot(path: Path, header: Mapping[str, Any], payload: Iterable[bytes]) -> None:
    """Write `header` (JSON-safe, with a "kind") and the payload's chunks to `path`, atomically and durably.

    Raises:
        OSError: the disk is full or the folder cannot be written; nothing is left behind and an older file stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        _write_checksummed(beside, header, payload)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    _sync_folder(path.parent)


def read_snapshot(path: Path, kind: str) -> tuple[dict[str, Any], bytes]:
    """Return the header and the payload of a snapshot of `kind`.

    Raises:
        SnapshotError: the file is missing, cut, altered, or holds another kind of state.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise SnapshotError(f"{path}: no saved state here") from None
    body, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        raise SnapshotError(
            f"{path}: the saved state is cut or altered (checksum differs); delete it and build it again"
        )
    line, _, payload = body.partition(b"\n")
    header: dict[str, Any] = json.loads(line)
    if header.get("kind") != kind:
        raise SnapshotError(f"{path}: holds the state of kind {header.get('kind')!r}, expected {kind!r}")
    return header, payload


def _write_checksummed(path: Path, header: Mapping[str, Any], payload: Iterable[bytes]) -> None:
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for chunk in (json.dumps(header).encode() + b"\n", *payload):
            digest.update(chunk)
            file.write(chunk)
        file.write(digest.digest())
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""A persisted state: the events, the objects of the knowledge base, and a checksum over the latter."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from heams.memory.item_snapshot import discard_items, load_items, save_items
from heams.memory.item_store import ItemStore
from heams.memory.knowledge_base.config import KnowledgeBaseMemoryConfig
from heams.memory.knowledge_base.objects import copy_objects
from heta_framework.common.config import file_fingerprint
from heta_framework.common.stores.object.local import LocalObjectStore
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.common.stores.snapshot import SnapshotError, read_snapshot, write_snapshot

_KIND = "knowledge_base_objects"
_CHECKSUM = "objects.snapshot"
_OBJECTS = "objects"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was persisted."""

    events: ItemStore
    objects: ObjectStoreProtocol


async def save_snapshot(
    directory: Path, objects: ObjectStoreProtocol, events: ItemStore, config: KnowledgeBaseMemoryConfig
) -> None:
    """Write a state; the file of the events goes first and comes last, because without it a folder holds no state."""
    await to_thread.run_sync(_clear, directory)
    await copy_objects(objects, LocalObjectStore(directory / _OBJECTS))
    await to_thread.run_sync(_seal, directory, events, config)


async def load_snapshot(directory: Path, config: KnowledgeBaseMemoryConfig) -> Snapshot:
    """Read what ``save_snapshot`` wrote.

    Raises:
        SnapshotError: there is no state, it is cut or altered, or another configuration wrote it.
    """
    events = await to_thread.run_sync(_checked, directory, config)
    return Snapshot(events, LocalObjectStore(directory / _OBJECTS))


def _clear(directory: Path) -> None:
    discard_items(directory)
    shutil.rmtree(directory / _OBJECTS, ignore_errors=True)
    (directory / _OBJECTS).mkdir(parents=True)


def _seal(directory: Path, events: ItemStore, config: KnowledgeBaseMemoryConfig) -> None:
    header = {"kind": _KIND, "version": 1, "sha256": file_fingerprint(directory / _OBJECTS)}
    write_snapshot(directory / _CHECKSUM, header, ())
    save_items(directory, events, config)


def _checked(directory: Path, config: KnowledgeBaseMemoryConfig) -> ItemStore:
    events = load_items(directory, config)
    header, _ = read_snapshot(directory / _CHECKSUM, _KIND)
    if not (directory / _OBJECTS).is_dir() or header["sha256"] != file_fingerprint(directory / _OBJECTS):
        raise SnapshotError(f"{directory / _OBJECTS}: the saved state is cut or altered (checksum differs)")
    return events

"""A memory's items as one checksummed file that names the configuration which wrote it."""

import json
from pathlib import Path

from pydantic import BaseModel

from heams.memory.base import RecalledItem
from heams.memory.item_store import ItemStore
from heta_framework.common.stores.snapshot import SnapshotError, read_snapshot, write_snapshot

_KIND = "memory_items"
_FILE = "items.snapshot"


def save_items(directory: Path, items: ItemStore, config: BaseModel) -> None:
    """Write the items to a file in ``directory``, atomically and durably."""
    header = {"kind": _KIND, "version": 1, "config": config.model_dump(mode="json"), "heard": items.heard}
    lines = (_line(key, item) for key, item in items.by_key().items())
    write_snapshot(directory / _FILE, header, lines)


def discard_items(directory: Path) -> None:
    """Remove what ``save_items`` wrote into ``directory``, if anything."""
    (directory / _FILE).unlink(missing_ok=True)


def load_items(directory: Path, config: BaseModel) -> ItemStore:
    """Read what ``save_items`` wrote.

    Raises:
        SnapshotError: it is missing, cut or altered, or was written under another configuration.
    """
    header, payload = read_snapshot(directory / _FILE, _KIND)
    expected = config.model_dump(mode="json")
    if header["config"] != expected:
        raise SnapshotError(f"{directory}: the state of a memory with {header['config']}, expected {expected}")
    pairs = (json.loads(line) for line in payload.splitlines())
    items = {key: RecalledItem.model_validate(fields) for key, fields in pairs}
    return ItemStore(items, heard=header["heard"])


def _line(key: str, item: RecalledItem) -> bytes:
    # ASCII, because a text may hold lone surrogates, which UTF-8 cannot write
    return json.dumps([key, item.model_dump(mode="json")]).encode("ascii") + b"\n"

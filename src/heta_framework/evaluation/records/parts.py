"""A growing file of lines in a store that can only put whole objects: numbered parts, joined at the end.

``cases.jsonl.parts/00000001`` is the first part of ``cases.jsonl``. When a file has been joined, ``.../joined`` says up
to which part, until the parts are removed: whoever is interrupted in between never takes an old part for newer than
what was joined.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import anyio.to_thread

from heta_framework.common.stores.object.many import delete_many, get_many
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

_JOINED = "joined"
_AT_ONCE = 16


class Parts:
    """Puts the parts of one file. Each part must be whole lines."""

    def __init__(self, objects: ObjectStoreProtocol, key: str, last: int = 0) -> None:
        self._objects = objects
        self._key = key
        self._last = last

    @classmethod
    async def open(cls, objects: ObjectStoreProtocol, key: str) -> Parts:
        """Go on after the parts that are there."""
        numbers = await _numbers(objects, key)
        return cls(objects, key, max([*numbers, await _joined(objects, key)], default=0))

    async def put(self, data: bytes) -> None:
        """Put one part more."""
        await self._objects.put(_part(self._key, self._last + 1), data)
        self._last += 1

    async def join(self, file: Path) -> None:
        """Put the whole file, which holds all that was put in parts, and remove these."""
        await self._objects.put(self._key, await anyio.to_thread.run_sync(file.read_bytes))
        marker = f"{_folder(self._key)}/{_JOINED}"
        numbers = await _numbers(self._objects, self._key)
        if numbers:
            await self._objects.put(marker, str(max(numbers)).encode())
            await delete_many(self._objects, [_part(self._key, number) for number in numbers])
        await self._objects.delete(marker)


async def fetch_lines(objects: ObjectStoreProtocol, key: str, file: Path) -> None:
    """Write what is saved of a file of lines: what was joined, then the parts that were put since."""
    with suppress(FileNotFoundError):
        await anyio.to_thread.run_sync(_append, file, [await objects.get(key)])
    joined = await _joined(objects, key)
    numbers = [number for number in await _numbers(objects, key) if number > joined]
    for start in range(0, len(numbers), _AT_ONCE):
        wanted = [_part(key, number) for number in numbers[start : start + _AT_ONCE]]
        await anyio.to_thread.run_sync(_append, file, await get_many(objects, wanted))


def _append(file: Path, contents: list[bytes]) -> None:
    with file.open("ab") as opened:
        opened.writelines(contents)


async def _numbers(objects: ObjectStoreProtocol, key: str) -> list[int]:
    names = [info.key.rpartition("/")[2] for info in await objects.list(f"{_folder(key)}/")]
    return sorted(int(name) for name in names if name.isdigit())


async def _joined(objects: ObjectStoreProtocol, key: str) -> int:
    try:
        return int(await objects.get(f"{_folder(key)}/{_JOINED}"))
    except FileNotFoundError:
        return 0


def _folder(key: str) -> str:
    return f"{key}.parts"


def _part(key: str, number: int) -> str:
    return f"{_folder(key)}/{number:08}"

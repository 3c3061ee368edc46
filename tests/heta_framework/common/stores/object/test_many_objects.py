"""Many objects at once."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from heta_framework.common.stores import LocalObjectStore, MemoryObjectStore, ObjectStoreProtocol
from heta_framework.common.stores.object.many import delete_many, get_many, put_many

pytestmark = pytest.mark.anyio


class _Watched(MemoryObjectStore):
    """Counts how many gets wait at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = self.most = 0

    async def get(self, key: str) -> bytes:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        await anyio.sleep(0.001)
        self.waiting -= 1
        return await super().get(key)


@pytest.mark.parametrize("kind", ["memory", "local"])
async def test_results_come_in_the_order_of_the_keys(kind: str, tmp_path: Path) -> None:
    store: ObjectStoreProtocol = MemoryObjectStore() if kind == "memory" else LocalObjectStore(tmp_path)
    keys = [f"k/{number % 7}/{number}" for number in range(200)]
    await put_many(store, ((key, key.encode()) for key in keys))
    assert await get_many(store, reversed(keys)) == [key.encode() for key in reversed(keys)]
    assert await get_many(store, []) == []
    await delete_many(store, keys[1:])
    assert [info.key for info in await store.list()] == keys[:1]


async def test_no_more_calls_wait_than_allowed() -> None:
    store = _Watched()
    await put_many(store, {str(number): b"" for number in range(20)})
    await get_many(store, map(str, range(20)), concurrency=3)
    assert store.most == 3
    with pytest.raises(ValueError, match="at least 1"):
        await get_many(store, ["1"], concurrency=0)


async def test_a_key_that_is_none_stops_a_bulk_put_before_it_begins(tmp_path: Path) -> None:
    store = LocalObjectStore(tmp_path)
    with pytest.raises(ValueError, match=r"'\.\.'"):
        await put_many(store, [("good", b""), ("../bad", b"")])
    assert await store.list() == []

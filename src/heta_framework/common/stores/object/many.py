"""Many objects at once: by a store's own bulk calls where it has them, else by a bounded number of calls at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import anyio

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


async def get_many(store: ObjectStoreProtocol, keys: Iterable[str], *, concurrency: int = 32) -> list[bytes]:
    """The objects under these keys, in their order; FileNotFoundError when one of them is missing."""
    wanted = list(keys)
    bulk = _own(store, "get_many")
    if bulk is None:
        return await _bounded(store.get, wanted, concurrency)
    found: list[bytes] = await bulk(wanted)
    return found


async def put_many(
    store: ObjectStoreProtocol,
    objects: Mapping[str, bytes] | Iterable[tuple[str, bytes]],
    *,
    concurrency: int = 32,
) -> None:
    """Store all these objects, each whole or not at all; an error leaves some of them stored."""
    pairs = list(objects.items() if isinstance(objects, Mapping) else objects)

    async def put(pair: tuple[str, bytes]) -> None:
        await store.put(*pair)

    bulk = _own(store, "put_many")
    await (bulk(pairs) if bulk else _bounded(put, pairs, concurrency))


async def delete_many(store: ObjectStoreProtocol, keys: Iterable[str], *, concurrency: int = 32) -> None:
    """Remove the objects under these keys; an error leaves some of them removed."""
    unwanted = list(keys)
    bulk = _own(store, "delete_many")
    await (bulk(unwanted) if bulk else _bounded(store.delete, unwanted, concurrency))


def _own(store: ObjectStoreProtocol, name: str) -> Callable[..., Awaitable[Any]] | None:
    """What a store may offer beside its protocol when it serves many objects better than one by one."""
    found: Callable[..., Awaitable[Any]] | None = getattr(store, name, None)
    return found


async def _bounded(
    call: Callable[[_Item], Awaitable[_Result]], items: Sequence[_Item], concurrency: int
) -> list[_Result]:
    """Call with every item, at most `concurrency` at a time; the first error ends the others and is raised as it is."""
    if concurrency < 1:
        raise ValueError(f"concurrency must be at least 1, got {concurrency}")
    results: dict[int, _Result] = {}
    waiting = iter(enumerate(items))

    async def work() -> None:
        for number, item in waiting:
            results[number] = await call(item)

    try:
        async with anyio.create_task_group() as group:
            for _ in range(min(concurrency, len(items))):
                group.start_soon(work)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [results[number] for number in range(len(items))]

"""One task that writes what others submit, in batches, and calls it durable only when the write has returned."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, Self, TypeVar

import anyio

LINGER_S: Final = 0.02
"""How long the writer waits for company before it writes a batch."""
MAX_WAITING: Final = 500
"""Weight of items that may wait; past it, producers are held back."""
_CALLBACKS_A_TURN = 64

_Item = TypeVar("_Item")


class BatchWriter(Generic[_Item]):
    """The writer task of some destination. Use as an async context manager; leaving it writes what still waits.

    Args:
        write: takes a batch, in the order submitted, and returns when it is durable.
        linger_s: how long a batch is gathered.
        max_waiting: the weight that may wait before `wait_for_room` holds producers back.
    """

    def __init__(
        self,
        write: Callable[[list[_Item]], Awaitable[None]],
        *,
        linger_s: float = LINGER_S,
        max_waiting: float = MAX_WAITING,
        name: str = "batch writer",
    ) -> None:
        self._write_items = write
        self._linger_s = linger_s
        self._max_waiting = max_waiting
        self._name = name
        self._items: list[_Item] = []
        self._callbacks: list[Callable[[], None]] = []
        self._weight = 0.0
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closing = False
        self._failure: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write_batches(), name=self._name)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing = True
        self._wake.set()
        self._hurry.set()
        if self._task is not None:
            with anyio.CancelScope(shield=True):  # what was submitted is written, also when the caller is cancelled
                await self._task

    def submit(self, item: _Item, on_durable: Callable[[], None] | None = None, *, weight: float = 1.0) -> None:
        """Queue an item; ``on_durable`` is called once it is written.

        Raises:
            Exception: what an earlier write or callback raised.
        """
        if self._failure is not None:
            raise self._failure
        self._items.append(item)
        if on_durable is not None:
            self._callbacks.append(on_durable)
        self._weight += weight
        if self._weight >= self._max_waiting:
            self._room.clear()
            self._hurry.set()
        self._wake.set()

    async def wait_for_room(self) -> None:
        """Hold a producer back while too much waits.

        Raises:
            Exception: what a write or callback raised.
        """
        await self._room.wait()
        if self._failure is not None:
            raise self._failure

    @property
    def failure(self) -> Exception | None:
        """What stopped the writer, if anything: what a write or a callback raised."""
        return self._failure

    async def _write_batches(self) -> None:
        while True:
            await self._wake.wait()
            await self._gather()
            self._wake.clear()
            self._hurry.clear()
            items, self._items = self._items, []
            callbacks, self._callbacks = self._callbacks, []
            self._weight = 0.0
            if items and self._failure is None:
                await self._write(items, callbacks)
            self._make_room()
            if self._closing and not self._items:
                return

    async def _gather(self) -> None:
        """Wait for company, unless enough waits already."""
        if not self._closing:
            with anyio.move_on_after(self._linger_s):
                await self._hurry.wait()

    def _make_room(self) -> None:
        if self._weight < self._max_waiting or self._failure is not None:
            self._room.set()

    async def _write(self, items: list[_Item], callbacks: list[Callable[[], None]]) -> None:
        try:
            await self._write_items(items)
            for place, callback in enumerate(callbacks, start=1):
                callback()
                if place % _CALLBACKS_A_TURN == 0:
                    await asyncio.sleep(0)
        except Exception as cause:  # noqa: BLE001 - whoever writes or listens may fail; producers must learn of it
            self._failure = cause

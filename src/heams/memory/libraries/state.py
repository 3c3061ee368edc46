"""The state of a library memory, shared by its forks until one of them writes."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

from anyio import to_thread

from heams.memory.libraries.engine import Engine, OpenEngine
from heams.memory.libraries.receipts import Receipts
from heams.scenarios.waiting import note_waiting
from heta_framework.common.models.gateway import Gateway, Seat, SeatModels


class LibraryState:
    """A library over one folder, with its seat at the gateway; opened when it is first needed.

    One operation at a time: that is how calls are told apart, and few libraries bear more. Time spent waiting for a
    turn is reported as waiting.
    """

    def __init__(
        self, folder: Path, gateway: Gateway, models: SeatModels, open_engine: OpenEngine, receipts: Receipts
    ) -> None:
        self.receipts = receipts
        self.users = 1
        self._folder = folder
        self._gateway = gateway
        self._models = models
        self._open_engine = open_engine
        self._seat: Seat = gateway.seat(models)
        self._engine: Engine | None = None
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Engine]:
        """The library, for one operation.

        Raises:
            CallFailed, CostLimitReached, ReplayMiss: a call of the operation failed, even if the library hid it.
        """
        began = perf_counter()
        async with self._lock:
            note_waiting(perf_counter() - began)
            async with self._seat.operation():
                if self._engine is None:
                    self._engine = await self._open_engine(self._folder, self._seat)
                yield self._engine

    async def copied(self, folder: Path) -> "LibraryState":
        """The same state in a folder of its own."""
        async with self.turn() as engine:
            await engine.save(folder)
            receipts = self.receipts.copy()
        return LibraryState(folder, self._gateway, self._models, self._open_engine, receipts)

    def reopened(self, folder: Path, receipts: Receipts) -> "LibraryState":
        """Another state, saved in ``folder``, for the same models."""
        return LibraryState(folder, self._gateway, self._models, self._open_engine, receipts)

    async def release(self) -> None:
        """One user fewer; the last one closes the library and removes its folder."""
        self.users -= 1
        if self.users:
            return
        async with self._lock:
            self._gateway.leave(self._seat)
            if self._engine is not None:
                await self._engine.close()
        await to_thread.run_sync(lambda: shutil.rmtree(self._folder, ignore_errors=True))

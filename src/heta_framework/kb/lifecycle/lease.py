"""One at a time: who builds, updates or deletes a knowledge base holds a lease on it in the object store.

A lease whose process is gone counts for nothing, so that a killed build can be resumed at once. On the same machine the
process is looked up (on Linux); of another machine, a lease that was not renewed for a minute is taken for dead (the
clocks of machines that share a store are taken to agree within seconds). Object stores have no compare-and-swap here:
of two builds that start in the same instant the earlier one finds out at its next step and stops.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio

from heta_framework.kb.errors import KnowledgeBaseBusyError
from heta_framework.kb.lifecycle.processes import UNKNOWN, process_token
from heta_framework.kb.lifecycle.sealed_json import TornRecordError, seal, unseal
from heta_framework.kb.runtime import KnowledgeBaseRuntime

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

_RENEWED_EVERY_S = 15.0
_DEAD_AFTER_S = 60.0
_held: set[str] = set()  # the leases of this process


class Lease:
    """A lease that is held."""

    def __init__(self, objects: ObjectStoreProtocol, runtime: KnowledgeBaseRuntime) -> None:
        self._objects = objects
        self._key = runtime.lease_key
        self._name = runtime.name
        self.owner = uuid.uuid4().hex

    async def check(self) -> None:
        """Make sure that it is still held.

        Raises:
            KnowledgeBaseBusyError: another has taken over.
        """
        found = await self._read()
        if found is not None and found["owner"] != self.owner:
            raise self._busy(found)

    async def acquire(self) -> None:
        """Take it.

        Raises:
            KnowledgeBaseBusyError: another holds it.
        """
        found = await self._read()
        if found is not None and _is_alive(found):
            raise self._busy(found)
        _held.add(self.owner)
        await self._write()
        await self.check()

    async def release(self) -> None:
        """Let go of it."""
        _held.discard(self.owner)
        found = await self._read()
        if found is not None and found["owner"] == self.owner:
            await self._objects.delete(self._key)

    async def renew_for_ever(self) -> None:
        """Say every few seconds that the holder lives."""
        while True:
            await anyio.sleep(_RENEWED_EVERY_S)
            with suppress(Exception):  # a store that is away for a while: the work itself will meet it
                await self.check()
                await self._write()

    async def _read(self) -> dict[str, Any] | None:
        try:
            return unseal(await self._objects.get(self._key))
        except (FileNotFoundError, TornRecordError):
            return None

    async def _write(self) -> None:
        lease = {
            "owner": self.owner,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "process": process_token(os.getpid()),
            "renewed_at": time.time(),
        }
        await self._objects.put(self._key, seal(lease))

    def _busy(self, lease: dict[str, Any]) -> KnowledgeBaseBusyError:
        return KnowledgeBaseBusyError(
            f"knowledge base {self._name!r} is being built, updated or deleted by process {lease['pid']} "
            f"on {lease['host']}; wait until it is done"
        )


@asynccontextmanager
async def held(objects: ObjectStoreProtocol, runtime: KnowledgeBaseRuntime) -> AsyncIterator[Lease]:
    """Hold the lease of a knowledge base.

    Raises:
        KnowledgeBaseBusyError: another holds it.
    """
    lease = Lease(objects, runtime)
    renewing: asyncio.Task[None] | None = None
    try:
        await lease.acquire()
        renewing = asyncio.create_task(lease.renew_for_ever())
        yield lease
    finally:
        if renewing is not None:
            renewing.cancel()
        with anyio.CancelScope(shield=True), suppress(Exception):  # a lease that stays is recognised as dead
            await lease.release()


def _is_alive(lease: dict[str, Any]) -> bool:
    elsewhere = lease["host"] != socket.gethostname()
    if not elsewhere and lease["pid"] == os.getpid():
        return lease["owner"] in _held
    if elsewhere or lease["process"] == UNKNOWN:
        return bool(time.time() - lease["renewed_at"] < _DEAD_AFTER_S)
    return bool(process_token(lease["pid"]) == lease["process"])

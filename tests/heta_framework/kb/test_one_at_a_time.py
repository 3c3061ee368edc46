"""The lease of a knowledge base: held by the living, worthless in the hands of the dead."""

import os
import socket
import subprocess
import sys
import time
from typing import Any

import pytest

from heta_framework.common.stores import MemoryObjectStore
from heta_framework.kb import KnowledgeBaseBusyError, KnowledgeBaseRuntime
from heta_framework.kb.lifecycle.lease import held
from heta_framework.kb.lifecycle.processes import process_token
from heta_framework.kb.lifecycle.sealed_json import seal

pytestmark = pytest.mark.anyio
RUNTIME = KnowledgeBaseRuntime("house")


async def lease(**differently: Any) -> MemoryObjectStore:
    """A store with the lease of somebody else in it."""
    objects = MemoryObjectStore()
    fields = {
        "owner": "somebody",
        "host": socket.gethostname(),
        "pid": os.getppid(),
        "process": process_token(os.getppid()),
        "renewed_at": time.time(),
    }
    await objects.put(RUNTIME.lease_key, seal(fields | differently))
    return objects


async def taken(objects: MemoryObjectStore) -> bool:
    try:
        async with held(objects, RUNTIME):
            return True
    except KnowledgeBaseBusyError:
        return False


def a_dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


async def test_a_lease_is_gone_when_its_holder_is_done() -> None:
    objects = MemoryObjectStore()
    async with held(objects, RUNTIME):
        assert not await taken(objects)
    assert await objects.list("") == []
    with pytest.raises(OSError, match="boom"):
        async with held(objects, RUNTIME):
            raise OSError("boom")
    assert await taken(objects)


async def test_the_living_are_respected() -> None:
    assert not await taken(await lease())
    assert not await taken(await lease(host="elsewhere", pid=1))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
async def test_a_process_that_is_gone_holds_nothing() -> None:
    assert await taken(await lease(pid=a_dead_process()))
    assert await taken(await lease(process="another process that had this number"))
    assert await taken(await lease(pid=os.getpid()))


async def test_another_machine_that_was_not_heard_of_for_a_minute_holds_nothing() -> None:
    assert await taken(await lease(host="elsewhere", renewed_at=time.time() - 61))
    assert await taken(await lease(process="unknown", renewed_at=time.time() - 61))


async def test_a_torn_lease_holds_nothing() -> None:
    objects = await lease()
    await objects.put(RUNTIME.lease_key, b'{"own')
    assert await taken(objects)


async def test_who_lost_the_lease_leaves_it_to_the_other() -> None:
    objects = MemoryObjectStore()
    theirs = await (await lease()).get(RUNTIME.lease_key)
    async with held(objects, RUNTIME) as mine:
        await objects.put(RUNTIME.lease_key, theirs)
        with pytest.raises(KnowledgeBaseBusyError, match="is being built, updated or deleted by process"):
            await mine.check()
    assert await objects.get(RUNTIME.lease_key) == theirs

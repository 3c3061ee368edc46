"""Starts a program and takes its word on what it can do."""

from typing import TypeVar

from pydantic import TypeAdapter

from heams.external.checking import checked
from heams.external.errors import ExternalProgramError
from heams.external.peer import Host

Capabilities = TypeVar("Capabilities")


async def shaken_hands(host: Host, adapter: TypeAdapter[Capabilities]) -> Capabilities:
    """The capabilities in the program's answer to ``hello``; see ``Host.start`` for what it raises.

    Raises:
        ExternalProgramError: they have the wrong shape; the program is ended.
    """
    hello = await host.start()
    try:
        return checked(adapter, dict(hello.capabilities), host.label, "hello", "capabilities")
    except ExternalProgramError:
        await host.close()
        raise

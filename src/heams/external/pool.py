"""The processes of one program: scopes are spread over them and stay where they are; the dead are replaced."""

import asyncio
from itertools import count

from heams.external.conversation import Conversation
from heams.external.errors import ExternalProgramError
from heams.external.launch import plan_launch
from heams.external.peer import Scope
from heams.external.protocol import Hello, ProgramRole
from heams.external.settings import ProgramSettings


class _Slot:
    """A place for one process."""

    def __init__(self) -> None:
        self.conversation: Conversation | None = None
        self.starting = asyncio.Lock()
        self.arriving = 0

    @property
    def load(self) -> int:
        """Scopes here, and scopes that wait for the process to start."""
        here = self.conversation.scopes if self.conversation and self.conversation.is_alive else ()
        return len(here) + self.arriving


class ProcessPool:
    """A ``Host`` of up to ``processes`` processes, started as scopes need them."""

    def __init__(self, settings: ProgramSettings, role: ProgramRole) -> None:
        self._settings = settings
        self._role: ProgramRole = role
        self._slots = [_Slot() for _ in range(settings.processes)]
        self._names = count(1)
        self._hello: Hello | None = None
        self.label = plan_launch(settings).label(role)

    async def start(self) -> Hello:
        """Start the first process and shake hands; see ``Host.start``."""
        await self._living(self._slots[0])
        assert self._hello is not None  # noqa: S101 - set with the first process
        return self._hello

    async def new_scope(self) -> Scope:
        """A scope at the process that has the fewest; see ``Host.new_scope``."""
        slot = min(self._slots, key=lambda each: each.load)
        slot.arriving += 1
        try:
            return Scope(await self._living(slot), self._new_name(), self._new_name)
        finally:
            slot.arriving -= 1

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(slot.conversation.close() for slot in self._slots if slot.conversation))

    def _new_name(self) -> str:
        return f"s{next(self._names)}"

    async def _living(self, slot: _Slot) -> Conversation:
        async with slot.starting:
            if slot.conversation is None or not slot.conversation.is_alive:
                if slot.conversation is not None:
                    await slot.conversation.close()
                slot.conversation = await self._started()
            return slot.conversation

    async def _started(self) -> Conversation:
        conversation = Conversation(self._settings, self._role)
        hello = await conversation.start()
        if self._hello is not None and hello.capabilities != self._hello.capabilities:
            await conversation.close(grace_s=0)
            raise ExternalProgramError(
                f"{conversation.label} declared other capabilities when it was started again: "
                f"{dict(self._hello.capabilities)} became {dict(hello.capabilities)}"
            )
        self._hello = self._hello or hello
        return conversation

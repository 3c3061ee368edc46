"""The agent's door to the memory: applies the recall budget and records every call with the step."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
)
from heams.scenarios.actions import DEFAULT_PRINCIPAL
from heams.scenarios.budget import RecallBudget, admit
from heams.scenarios.clock import Instant
from heams.scenarios.outcome import MemoryWrite, Recall
from heams.scenarios.waiting import TimeSpent


class RecordingPort:
    """A ``MemoryPort`` over one memory. Set ``principal``, ``now`` and ``sources`` before each step.

    ``sources`` are the ids of the events that notes saved in this step come from.
    """

    def __init__(self, memory: Memory, capabilities: MemoryCapabilities, budget: RecallBudget, *, scope: str) -> None:
        self.capabilities = capabilities
        self.principal: str = DEFAULT_PRINCIPAL
        self.now: Instant | None = None
        self.sources: tuple[str, ...] = ()
        self.recalls: list[Recall] = []
        self.writes: list[MemoryWrite] = []
        self._memory = memory
        self._budget = None if capabilities.bound else budget
        self._scope = scope
        self._notes = 0

    def begin_step(self, sources: Sequence[str] = ()) -> None:
        """Forget the calls of the step before."""
        self.recalls, self.writes, self.sources = [], [], tuple(sources)

    async def recall(self, text: str, *, limit: int | None = None) -> Sequence[RecalledItem]:
        """Ask the memory; only what fits into the budget is returned."""
        from heta_framework.common.text.tokens import count_tokens

        allowed = self._budget.items if self._budget else None
        wanted = min((bound for bound in (limit, allowed) if bound is not None), default=None)
        with TimeSpent() as time:
            query = RecallQuery(text=text, limit=wanted, principal=self.principal, at=self.now)
            found = await self._memory.recall(query)
        admitted = admit(found if limit is None else found[:limit], self._budget, count_tokens)
        self.recalls.append(Recall(text, admitted.items, admitted.tokens, admitted.withheld, time.worked, time.waited))
        return admitted.items

    async def write(self, content: str, *, metadata: Mapping[str, JsonValue] | None = None) -> None:
        """Save a note."""
        self._notes += 1
        note = MemoryEvent(
            id=f"{self._scope}/note-{self._notes}",
            content=content,
            kind="note",
            sources=self.sources,
            speaker=self.principal,
            principal=self.principal,
            at=self.now,
            metadata=metadata or {},
        )
        await self._memory.write(note)
        self.writes.append(MemoryWrite(note.id, content))

    async def forget(self, content: str, *, event_ids: Sequence[str] = ()) -> ForgetReceipt:
        """Ask the memory to forget."""
        return await self._memory.forget(
            ForgetDemand(content=content, event_ids=tuple(event_ids), principal=self.principal, at=self.now)
        )

    async def items(self) -> Sequence[MemoryItem]:
        """Everything the memory holds."""
        return await self._memory.dump()

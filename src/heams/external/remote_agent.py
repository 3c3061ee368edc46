"""An agent that lives in an external program or behind a URL."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from pydantic import BaseModel, JsonValue, TypeAdapter

from heams.agents.base import (
    Agent,
    AgentCapabilities,
    AgentReply,
    AgentScope,
    AgentSession,
    FeedbackMessage,
    MemoryPort,
    Stimulus,
)
from heams.external.checking import checked, nothing_in
from heams.external.declared import declared_operation
from heams.external.handshake import shaken_hands
from heams.external.memory_calls import answer_call
from heams.external.peer import Arguments, Host, Scope
from heams.external.reported_usage import not_reported
from heams.memory.base import ForgetDemand, ForgetReceipt, MemoryEvent, MemoryItem, UnsupportedOperation
from heams.scenarios.clock import Instant
from heams.scenarios.usage import UsageByRole

_INSTANT: TypeAdapter[Instant] = TypeAdapter(Instant)
_CAPABILITIES: TypeAdapter[AgentCapabilities] = TypeAdapter(AgentCapabilities)
_REPLY: TypeAdapter[AgentReply] = TypeAdapter(AgentReply)
_USAGE: TypeAdapter[Mapping[Any, Any]] = TypeAdapter(UsageByRole)
_RECEIPT: TypeAdapter[ForgetReceipt] = TypeAdapter(ForgetReceipt)
_ITEMS: TypeAdapter[list[MemoryItem]] = TypeAdapter(list[MemoryItem])


class RemoteAgent(Agent):
    """An agent behind a ``Host``. Its capabilities are known after ``start``."""

    capabilities: AgentCapabilities

    def __init__(self, config: Any, host: Host) -> None:
        super().__init__(config)
        self.capabilities = AgentCapabilities()
        self._host = host
        self._declined: set[str] = set()

    async def start(self) -> None:
        """Start the program and shake hands; see ``Host.start`` for what it raises."""
        self.capabilities = await shaken_hands(self._host, _CAPABILITIES)

    async def open(self, scope: AgentScope) -> AgentSession:
        """A new session in the program."""
        place = await self._host.new_scope()
        nothing_in(await place.begin({"name": scope.id, "seed": scope.seed}), place.label, "open")
        return RemoteSession(place, self.capabilities, self._declined)

    async def close(self) -> None:
        """End the program."""
        await self._host.close()


class RemoteSession(AgentSession):
    """One session in a program. ``declined`` collects optional operations that the program does not offer."""

    def __init__(self, place: Scope, capabilities: AgentCapabilities, declined: set[str]) -> None:
        self._place = place
        self._capabilities = capabilities
        self._declined = declined

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Answer one stimulus; the program may ask the memory meanwhile."""
        result = await self._ask_with("respond", {"stimulus": _json(stimulus)}, memory)
        reply = checked(_REPLY, _without_null_usage(result), self._place.label, "respond")
        return reply if "usage" in reply.model_fields_set else reply.model_copy(update={"usage": not_reported("agent")})

    async def hear(self, event: MemoryEvent, memory: MemoryPort) -> UsageByRole:
        """Hear an event; the program may ask the memory meanwhile. Null as the answer does not say what it cost."""
        result = await self._ask_with("hear", {"event": _json(event)}, memory)
        return not_reported("agent") if result is None else checked(_USAGE, result, self._place.label, "hear")

    async def begin_session(self, session_id: str) -> None:
        """Tell an agent that cares that a session starts."""
        await self._tell_if_offered("begin_session", {"session_id": session_id})

    async def advance(self, now: Instant) -> None:
        """Tell the time to an agent that cares."""
        await self._tell_if_offered("advance", {"now": _INSTANT.dump_python(now, mode="json")})

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        """Tell an agent that cares how an answer went; the program may ask the memory meanwhile."""
        await self._tell_if_offered("feedback", {"message": _json(message)}, memory)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Asked of agents that own their memory."""
        with self._declared("forget", "owns_memory"):
            receipt = await self._place.ask("forget", {"demand": _json(demand)})
        return checked(_RECEIPT, receipt, self._place.label, "forget")

    async def dump(self) -> Sequence[MemoryItem]:
        """Asked of agents that own their memory."""
        with self._declared("dump", "owns_memory"):
            items = await self._place.ask("dump")
        return checked(_ITEMS, items, self._place.label, "dump")

    async def fork(self) -> AgentSession:
        """A copy, in the same process."""
        with self._declared("fork", "fork"):
            return RemoteSession(await self._place.fork(), self._capabilities, self._declined)

    async def close(self) -> None:
        """Let the program release the session."""
        await self._place.close()

    async def _ask_with(self, op: str, arguments: Arguments, memory: MemoryPort) -> JsonValue:
        offered = {"memory": _json(memory.capabilities)}
        return await self._place.ask(op, {**arguments, **offered}, partial(answer_call, port=memory))

    async def _tell_if_offered(self, op: str, arguments: Arguments, memory: MemoryPort | None = None) -> None:
        if op in self._declined:
            return
        try:
            asking = self._place.ask(op, arguments) if memory is None else self._ask_with(op, arguments, memory)
            nothing_in(await asking, self._place.label, op)
        except UnsupportedOperation:
            self._declined.add(op)

    def _declared(self, op: str, capability: str) -> AbstractContextManager[None]:
        declared = getattr(self._capabilities, capability)
        return declared_operation(op, capability, declared=declared, label=self._place.label)


def _without_null_usage(result: JsonValue) -> JsonValue:
    if isinstance(result, dict) and result.get("usage", ...) is None:
        return {name: value for name, value in result.items() if name != "usage"}
    return result


def _json(value: BaseModel) -> JsonValue:
    dumped: JsonValue = value.model_dump(mode="json")
    return dumped

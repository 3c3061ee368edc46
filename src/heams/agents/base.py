"""The protocol of an agent.

An ``Agent`` is built once per experiment; it opens an ``AgentSession`` per scenario (and one per shared history, when
the agent decides what to save or owns its memory). The session answers stimuli and reaches the memory only through the
``MemoryPort`` that the run hands it, which enforces the recall budget and records every call.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    UnsupportedOperation,
)
from heams.scenarios.actions import DEFAULT_PRINCIPAL, FeedbackKind
from heams.scenarios.clock import Instant
from heams.scenarios.usage import UsageByRole
from heams.scenarios.whole_text import WholeText


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Stimulus(_Value):
    """What an agent sees of a ``UserStimulus``: no markers, no labels."""

    content: str
    query: str
    principal: str = DEFAULT_PRINCIPAL
    at: Instant | None = None


class AgentReply(_Value):
    """An agent's answer. ``tool_calls`` are kept in the transcript; ``usage`` is what the answer cost."""

    text: WholeText
    usage: UsageByRole = Field(default_factory=dict)
    tool_calls: tuple[Mapping[str, JsonValue], ...] = ()
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)


class FeedbackMessage(_Value):
    """What the agent is told about an earlier answer; fields are None where the kind of feedback withholds them."""

    of_step: int
    kind: FeedbackKind
    correct: bool | None = None
    expected: str | None = None


class AgentScope(_Value):
    """Where a session belongs: the scenario or history id, and a seed that is the same whenever the run is repeated."""

    id: str
    seed: int = 0


class MemoryPort(Protocol):
    """The agent's door to the memory. Every call is recorded with the step; unsupported ones raise."""

    @property
    def capabilities(self) -> MemoryCapabilities: ...

    async def recall(self, text: str, *, limit: int | None = None) -> Sequence[RecalledItem]: ...

    async def write(self, content: str, *, metadata: Mapping[str, JsonValue] | None = None) -> None: ...

    async def forget(self, content: str, *, event_ids: Sequence[str] = ()) -> ForgetReceipt: ...

    async def items(self) -> Sequence[MemoryItem]: ...


class AgentCapabilities(_Value):
    """``owns_memory``: the agent itself hears history, forget, inspect and clock events. ``fork``: sessions fork."""

    owns_memory: bool = False
    fork: bool = False


class AgentSession(ABC):
    """One agent in one scenario."""

    @abstractmethod
    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Answer one stimulus."""

    async def hear(self, event: MemoryEvent, memory: MemoryPort) -> UsageByRole:
        """Hear an event that nobody answers (``ingestion: through_agent``, or ``owns_memory``); return what it cost."""
        raise UnsupportedOperation("this agent does not listen to history; use 'ingestion: direct'")

    async def begin_session(self, session_id: str) -> None:  # noqa: B027 - agents without working context do not mind
        """A new session starts: drop the working context."""

    async def advance(self, now: Instant) -> None:  # noqa: B027 - most agents do not mind the time
        """The simulated clock now shows ``now``."""

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:  # noqa: B027 - may be ignored
        """Learn how an earlier answer went."""

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Asked of agents that own their memory."""
        raise UnsupportedOperation("this agent cannot forget")

    async def dump(self) -> Sequence[MemoryItem]:
        """Asked of agents that own their memory."""
        raise UnsupportedOperation("this agent cannot show its memory")

    async def fork(self) -> "AgentSession":
        """An independent copy of the session, for agents that own their memory."""
        raise UnsupportedOperation("this agent cannot fork")

    async def close(self) -> None:  # noqa: B027 - nothing to release by default
        """Release what the session holds. Called once."""


class Agent(ABC):
    """A configured agent, shared by all scenarios of an experiment."""

    capabilities: AgentCapabilities = AgentCapabilities()

    def __init__(self, config: Any) -> None:
        self.config = config

    async def start(self) -> None:  # noqa: B027 - nothing to start by default
        """Called once before the first session is opened."""

    @abstractmethod
    async def open(self, scope: AgentScope) -> AgentSession:
        """A new session."""

    async def close(self) -> None:  # noqa: B027 - nothing to release by default
        """Called once at the end of the experiment."""

"""The protocol of a memory system.

A ``MemorySystem`` is built once per experiment and opens one ``Memory`` per scope (a shared history, or a scenario).
Only ``write``, ``recall`` and ``close`` are required; everything else is a declared capability, and an operation that
is not supported raises ``UnsupportedOperation``, which the run records as an outcome of its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from heams.scenarios.actions import DEFAULT_PRINCIPAL, Role
from heams.scenarios.clock import Instant
from heams.scenarios.usage import UsageByRole


class UnsupportedOperation(Exception):  # noqa: N818 - an outcome, not an error
    """The component does not offer this operation. The step's outcome becomes ``unsupported``."""


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MemoryEvent(_Value):
    """Something the memory hears: a turn, a document, or a note that the agent saves.

    ``sources`` are the ids of the events that a note was made from; empty for events that are their own source.
    """

    id: str
    content: str
    sources: tuple[str, ...] = ()
    kind: Literal["turn", "document", "note"] = "turn"
    speaker: str = DEFAULT_PRINCIPAL
    role: Role = "user"
    principal: str = DEFAULT_PRINCIPAL
    at: Instant | None = None
    session_id: str | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)

    @property
    def provenance(self) -> tuple[str, ...]:
        """Ids of the events behind this one: its sources, or itself."""
        return self.sources or (self.id,)


class RecallQuery(_Value):
    """A question to the memory. ``limit`` is the most items the caller can use; None means no limit."""

    text: str
    limit: int | None = Field(default=None, ge=1)
    principal: str = DEFAULT_PRINCIPAL
    at: Instant | None = None


class MemoryItem(_Value):
    """One remembered item with its provenance: ``event_ids`` are the events it came from."""

    id: str
    text: str
    event_ids: tuple[str, ...] = ()
    speaker: str | None = None
    at: Instant | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)


class RecalledItem(MemoryItem):
    """A remembered item as an answer to a query, best first. ``score`` is the system's own and only ranks."""

    score: float | None = Field(default=None, allow_inf_nan=False)


class ForgetDemand(_Value):
    """What a memory is asked to forget."""

    content: str
    event_ids: tuple[str, ...] = ()
    principal: str = DEFAULT_PRINCIPAL
    at: Instant | None = None


class ForgetReceipt(_Value):
    """What a memory says it forgot: ids of items removed, and its own words."""

    removed: tuple[str, ...] = ()
    note: str = ""


class MemoryScope(_Value):
    """Whose memory is opened. ``directory`` is a private folder for the memory's files, removed with the scope."""

    id: str
    directory: Path | None = None


class MemoryCapabilities(_Value):
    """What a memory system can do, and how it must be read in a comparison.

    ``ranked``: recall orders by relevance, so recall@k means something. ``bound``: a reference point, not a competitor
    (reports say so, and the recall budget does not apply to it). ``needs_gold``: it is told the evidence.
    """

    fork: bool = False
    forget: bool = False
    dump: bool = False
    persist: bool = False
    clock: bool = False
    provenance: bool = True
    ranked: bool = True
    needs_gold: bool = False
    bound: bool = False


class Memory(ABC):
    """One memory: the state behind a scope."""

    @abstractmethod
    async def write(self, event: MemoryEvent) -> None:
        """Hear one event."""

    @abstractmethod
    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """Items for a query, best first."""

    async def write_all(self, events: Sequence[MemoryEvent]) -> None:
        """Hear many events in order; systems with a bulk path override it."""
        for event in events:
            await self.write(event)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Forget what is asked, everywhere."""
        raise UnsupportedOperation("this memory cannot forget")

    async def dump(self) -> Sequence[MemoryItem]:
        """Everything the memory holds, in a stable order."""
        raise UnsupportedOperation("this memory cannot show its content")

    async def glance(self) -> Sequence[MemoryItem]:
        """What the memory holds at this moment, as ``dump`` shows it, with nothing done before.

        A run looks before and after actions to record what they changed, and looking must change nothing: a memory that
        reads waiting events, or calls a model, before it dumps shows here what it holds until then.
        """
        return await self.dump()

    def size(self) -> int | None:
        """How many items ``glance`` would show; None where counting them would cost something."""
        return None

    def recall_would_change(self, now: Instant | None) -> bool:
        """Whether a recall (or a dump) at ``now`` changes what is held, because events wait or something is over."""
        return False

    async def settle(self) -> None:  # noqa: B027 - most memories have nothing that waits
        """Do what ``forget`` does before it forgets: read the events that wait. Called right before it, or never."""

    async def advance(self, now: Instant) -> None:  # noqa: B027 - most memories do not mind the time
        """The simulated clock now shows ``now``."""

    async def reveal_gold(self, event_ids: Collection[str]) -> None:
        """Only called for systems that declare ``needs_gold``, before each stimulus."""
        raise UnsupportedOperation("this memory does not take evidence labels")

    async def fork(self) -> "Memory":
        """An independent copy of the present state; must be cheap, best lazy (copy on first write)."""
        raise UnsupportedOperation("this memory cannot fork")

    async def persist(self, directory: Path) -> None:
        """Write the present state into an empty folder."""
        raise UnsupportedOperation("this memory cannot persist its state")

    async def restore(self, directory: Path) -> None:
        """Replace the present state by one that ``persist`` wrote."""
        raise UnsupportedOperation("this memory cannot restore a state")

    def tallies(self) -> Mapping[str, int]:
        """Counts by name that say how well hearing went; they are kept with the record of a heard history."""
        return {}

    async def usage(self) -> UsageByRole:
        """Model usage since the memory was opened or forked."""
        return {}

    async def close(self) -> None:  # noqa: B027 - nothing to release by default
        """Release what the memory holds. Called once."""


class MemorySystem(ABC):
    """A configured memory system, shared by all scopes of an experiment.

    ``remote``: its memories live in another program, so that looking into one costs a request.
    """

    capabilities: MemoryCapabilities = MemoryCapabilities()
    remote: bool = False

    def __init__(self, config: Any) -> None:
        self.config = config

    async def start(self) -> None:  # noqa: B027 - nothing to start by default
        """Called once before the first scope is opened (start a process, shake hands)."""

    @abstractmethod
    async def open(self, scope: MemoryScope) -> Memory:
        """A new, empty memory."""

    async def close(self) -> None:  # noqa: B027 - nothing to release by default
        """Called once at the end of the experiment."""

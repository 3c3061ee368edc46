"""What happened in a scenario while it ran: live objects, as evaluators see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from heams.memory.base import ForgetReceipt, MemoryItem, RecalledItem
from heams.scenarios.actions import Action
from heams.scenarios.clock import Instant
from heams.scenarios.memory_difference import MemoryChange
from heams.scenarios.scenario import Scenario
from heams.scenarios.usage import UsageByRole

StepStatus = Literal["ok", "error", "unsupported"]


@dataclass(slots=True)
class Recall:
    """One recall that the agent made: what it asked, and the items that reached it after the budget was applied.

    ``tokens`` holds each item's length in tokens of the shipped tokenizer; ``withheld`` counts items over the budget.
    ``seconds`` are those of the recall itself, without those that were ``waited`` for a busy memory.
    """

    query: str
    items: Sequence[RecalledItem]
    tokens: Sequence[int]
    withheld: int = 0
    seconds: float = 0.0
    waited: float = 0.0


@dataclass(slots=True)
class MemoryWrite:
    """One note that the agent saved."""

    id: str
    content: str


@dataclass(slots=True)
class Step:
    """One action and what came of it. ``reply`` is None for actions that nobody answers.

    ``seconds`` are those of the work, without those that were ``waited`` for a busy agent or memory. ``usage`` is what
    agent and memory consumed, and evaluators that were asked for feedback. ``memory_change`` is None where nothing in
    the step could change the memory, or nobody watched.
    """

    index: int
    action: Action
    status: StepStatus = "ok"
    at: Instant | None = None
    principal: str | None = None
    reply: str | None = None
    reply_metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    tool_calls: Sequence[Mapping[str, JsonValue]] = ()
    recalls: list[Recall] = field(default_factory=list)
    writes: list[MemoryWrite] = field(default_factory=list)
    receipt: ForgetReceipt | None = None
    dump: Sequence[MemoryItem] | None = None
    memory_change: MemoryChange | None = None
    note: str | None = None
    usage: UsageByRole = field(default_factory=dict)
    seconds: float = 0.0
    waited: float = 0.0

    @property
    def recalled(self) -> list[RecalledItem]:
        """All items recalled in this step, in the order in which they reached the agent, each id once."""
        seen: dict[str, RecalledItem] = {}
        for recall in self.recalls:
            for item in recall.items:
                seen.setdefault(item.id, item)
        return list(seen.values())


@dataclass(slots=True)
class ScenarioOutcome:
    """The whole outcome: the scenario with its markers, and its steps in order (fewer than actions when it failed).

    ``memory_ranked`` and ``memory_provenance`` tell retrieval metrics whether recall@k means anything here.
    """

    scenario: Scenario
    steps: list[Step] = field(default_factory=list)
    memory_ranked: bool = True
    memory_provenance: bool = True

    def answered(self) -> list[Step]:
        """The steps whose action is a stimulus."""
        return [step for step in self.steps if step.action.type == "user_stimulus"]

    def replied(self) -> list[tuple[Step, str]]:
        """The steps whose stimulus has a reply, each with that reply."""
        return [(step, step.reply) for step in self.answered() if step.reply is not None]

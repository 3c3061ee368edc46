"""The in-process memory systems as test subjects: all of them, those that remember, and those that search."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from heams.agents.base import AgentReply, AgentSession, MemoryPort, Stimulus
from heams.memory.base import (
    Memory,
    MemoryEvent,
    MemoryScope,
    MemorySystem,
    RecalledItem,
    RecallQuery,
)
from heams.memory.full_context import FullContextConfig, FullContextSystem
from heams.memory.hybrid import HybridMemoryConfig, HybridMemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.memory.oracle import OracleConfig, OracleSystem
from heams.memory.vector import VectorMemoryConfig, VectorMemorySystem
from heams.scenarios.actions import Action
from heams.scenarios.budget import RecallBudget
from heams.scenarios.memory_difference import MemoryChange
from heams.scenarios.memory_watch import MemoryWatch
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario
from heams.scenarios.watched import WatchedMemory

SAID = {
    "D1:1": "I adopted a grey kitten from the shelter.",
    "D1:2": "My brother repairs old violins in Lisbon.",
    "D1:3": "We planted tomatoes on the balcony.",
}


@dataclass(frozen=True)
class Subject:
    """A memory system under test."""

    name: str
    make: Callable[[], MemorySystem]

    async def open(self, said: Mapping[str, str] | None = None, *, speaker: str = "Maya") -> Memory:
        """A new memory that heard ``said`` (three facts when left out): contents by event id."""
        system = self.make()
        await system.start()
        memory = await system.open(MemoryScope(id="scope"))
        contents = (SAID if said is None else said).items()
        await memory.write_all([MemoryEvent(id=key, content=content, speaker=speaker) for key, content in contents])
        return memory

    async def ask(
        self, memory: Memory, text: str, *, gold: Sequence[str] = (), limit: int | None = None
    ) -> Sequence[RecalledItem]:
        """Recall; the evidence ``gold`` is told to those that may know it."""
        if self.make().capabilities.needs_gold:
            await memory.reveal_gold(gold)
        return await memory.recall(RecallQuery(text=text, limit=limit))


NO_MEMORY = Subject("no_memory", lambda: NoMemorySystem(NoMemoryConfig()))
FULL_CONTEXT = Subject("full_context", lambda: FullContextSystem(FullContextConfig()))
ORACLE = Subject("oracle", lambda: OracleSystem(OracleConfig()))
SEARCHING = [
    Subject("lexical", lambda: LexicalMemorySystem(LexicalMemoryConfig())),
    Subject("vector", lambda: VectorMemorySystem(VectorMemoryConfig())),
    Subject("hybrid", lambda: HybridMemorySystem(HybridMemoryConfig())),
]


def _name(subject: Subject) -> str:
    return subject.name


@pytest.fixture(params=[NO_MEMORY, FULL_CONTEXT, ORACLE, *SEARCHING], ids=_name)
def any_system(request: pytest.FixtureRequest) -> Subject:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(params=[FULL_CONTEXT, ORACLE, *SEARCHING], ids=_name)
def remembering(request: pytest.FixtureRequest) -> Subject:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(params=SEARCHING, ids=_name)
def searching(request: pytest.FixtureRequest) -> Subject:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def subjects() -> dict[str, Subject]:
    """All systems by name."""
    return {subject.name: subject for subject in (NO_MEMORY, FULL_CONTEXT, ORACLE, *SEARCHING)}


@pytest.fixture
def said() -> dict[str, str]:
    """What a memory hears by default."""
    return dict(SAID)


class _Asking(AgentSession):
    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        await memory.recall(stimulus.query)
        return AgentReply(text="asked")


@pytest.fixture
def changes_of() -> Callable[..., Awaitable[list[MemoryChange | None]]]:
    """``await changes_of(memory, actions)``: what each action changed, as a run would record it."""

    async def play(memory: Memory, actions: Sequence[Action]) -> list[MemoryChange | None]:
        watch = MemoryWatch(memory, 500)
        seen = WatchedMemory(memory, watch, minds_clock=True)
        outcome = ScenarioOutcome(Scenario(id="s", name="s", actions=actions, evaluators=()))
        port = RecordingPort(seen, MemorySystem.capabilities, RecallBudget(), scope="s")
        await ScenarioPlayer(outcome, session=_Asking(), memory=seen, port=port, watch=watch).play()
        return [step.memory_change for step in outcome.steps]

    return play

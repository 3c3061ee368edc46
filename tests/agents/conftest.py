"""Asks agents about things that were said, with a real memory and the real port between them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import anyio
import pytest

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, Stimulus
from heams.agents.extractive import ExtractiveAgent, ExtractiveAgentConfig
from heams.agents.factory import create_agent
from heams.memory.base import MemoryEvent, MemoryScope, MemorySystem
from heams.memory.full_context import FullContextConfig, FullContextSystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort

Ask = Callable[..., str]
T = TypeVar("T")


def event(number: int, turn: str | tuple[str, str] | tuple[str, str, str]) -> MemoryEvent:
    """A turn: what was said, or who said it, or who said it and when (an ISO date)."""
    speaker, content, at = ("Ada", turn, None) if isinstance(turn, str) else (*turn, None)[:3]
    said: dict[str, Any] = {"id": f"t{number}", "speaker": speaker, "content": content}
    return MemoryEvent.model_validate(said | ({"at": datetime.fromisoformat(at)} if at else {}))


async def asked(
    stimulus: Stimulus, events: Sequence[MemoryEvent], config: ExtractiveAgentConfig, system: MemorySystem
) -> AgentReply:
    """The agent's reply with a memory that heard ``events``."""
    await system.start()
    memory = await system.open(MemoryScope(id="scope"))
    await memory.write_all(events)
    session = await ExtractiveAgent(config).open(AgentScope(id="scope"))
    port = RecordingPort(memory, system.capabilities, RecallBudget(), scope="scope")
    return await session.respond(stimulus, port)


@pytest.fixture
def ask() -> Ask:
    """``ask(question, *turns)`` is the answer; ``content`` wraps the question, ``searched`` recalls by words."""

    def answer(
        question: str,
        *turns: str | tuple[str, str] | tuple[str, str, str],
        content: str | None = None,
        searched: bool = False,
        principal: str = "user",
        **config: Any,
    ) -> str:
        lexical, everything = LexicalMemorySystem(LexicalMemoryConfig()), FullContextSystem(FullContextConfig())
        stimulus = Stimulus(content=content or question, query=question, principal=principal)
        events = [event(number, turn) for number, turn in enumerate(turns)]
        system = lexical if searched else everything
        return anyio.run(asked, stimulus, events, ExtractiveAgentConfig(**config), system).text

    return answer


class Stage:
    """An agent with a model, its memory and the real port, on one event loop of its own."""

    def __init__(self, agent: Agent, system: MemorySystem, budget: RecallBudget | None = None) -> None:
        self.agent = agent
        self.system = system
        self.budget = budget or RecallBudget()
        self.port: RecordingPort
        self.session: AgentSession

    def play(self, act: Callable[[Stage], Awaitable[T]], *events: MemoryEvent) -> T:
        """What ``act`` returns, after the memory heard ``events``."""

        async def run() -> T:
            await self.system.start()
            memory = await self.system.open(MemoryScope(id="scope"))
            await memory.write_all(events)
            self.port = RecordingPort(memory, self.system.capabilities, self.budget, scope="scope")
            await self.agent.start()
            self.session = await self.agent.open(AgentScope(id="scope"))
            try:
                return await act(self)
            finally:
                await self.session.close()
                await self.agent.close()

        return anyio.run(run)

    async def ask(self, question: str, **said: Any) -> AgentReply:
        """The agent's reply to one question; who asks reaches the memory too, as in a run."""
        stimulus = Stimulus(content=question, query=question, **said)
        self.port.begin_step()
        self.port.principal, self.port.now = stimulus.principal, stimulus.at
        return await self.session.respond(stimulus, self.port)


@pytest.fixture
def stage() -> Callable[..., Stage]:
    """``stage(agent_config, system=None, budget=None)``; without a system a ``full_context`` one."""

    def build(config: Any, system: MemorySystem | None = None, budget: RecallBudget | None = None) -> Stage:
        return Stage(create_agent(config), system or FullContextSystem(FullContextConfig()), budget)

    return build

"""Asks an agent about things that were said, with a real memory and the real port between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import anyio
import pytest

from heams.agents.base import AgentReply, AgentScope, Stimulus
from heams.agents.extractive import ExtractiveAgent, ExtractiveAgentConfig
from heams.memory.base import MemoryEvent, MemoryScope, MemorySystem
from heams.memory.full_context import FullContextConfig, FullContextSystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort

Ask = Callable[..., str]


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

"""The scripted agent does what its script says, through the real port."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from pydantic import ValidationError

from heams.agents.base import AgentScope, AgentSession, Stimulus
from heams.agents.scripted import ScriptedAgent, ScriptedAgentConfig
from heams.memory.base import MemoryEvent, MemoryScope
from heams.memory.full_context import FullContextConfig, FullContextSystem
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort

HEARD = [MemoryEvent(id=f"t{number}", content=f"Fact {number}.") for number in range(3)]


async def _opened(**script: Any) -> tuple[AgentSession, RecordingPort]:
    system = FullContextSystem(FullContextConfig())
    memory = await system.open(MemoryScope(id="scope"))
    await memory.write_all(HEARD)
    session = await ScriptedAgent(ScriptedAgentConfig(**script)).open(AgentScope(id="scope"))
    return session, RecordingPort(memory, system.capabilities, RecallBudget(), scope="scope")


async def _reply(content: str, query: str, script: dict[str, Any]) -> tuple[str, list[str]]:
    session, port = await _opened(**script)
    reply = await session.respond(Stimulus(content=content, query=query), port)
    return reply.text, [recall.query for recall in port.recalls]


def reply(content: str, query: str | None = None, **script: Any) -> tuple[str, list[str]]:
    """The text of the reply, and what the memory was asked."""
    return anyio.run(_reply, content, query or content, script)


def test_answers_go_by_content_then_query_then_default() -> None:
    script: dict[str, Any] = {"answers": {"Prompt: Who?": "Ada", "Who?": "Ben", "Empty?": ""}, "default": "nobody"}
    assert reply("Prompt: Who?", "Who?", **script) == ("Ada", [])
    assert reply("Say it: Who?", "Who?", **script) == ("Ben", [])
    assert reply("Empty?", **script) == ("", [])
    assert reply("Where?", **script) == ("nobody", [])


def test_it_recalls_with_the_query_when_told_to() -> None:
    assert reply("Prompt: Who?", "Who?", recall=True, default="x") == ("x", ["Who?"])


def test_it_echoes_what_was_recalled_where_the_script_is_silent() -> None:
    assert reply("Who?", echo_recalled=True) == ("Fact 0.\nFact 1.\nFact 2.", ["Who?"])
    assert reply("Who?", echo_recalled=True, answers={"Who?": "Ada"}) == ("Ada", ["Who?"])


def test_it_fails_where_told_to() -> None:
    with pytest.raises(RuntimeError, match="poison"):
        reply("a poisoned question", fail_on=["poison"])
    assert reply("a question", fail_on=["poison"])[0] == ""


def test_it_takes_its_time_without_holding_up_others() -> None:
    async def impatient() -> bool:
        session, port = await _opened(latency_s=3_600)
        with anyio.move_on_after(0.01) as waiting:
            await session.respond(Stimulus(content="Who?", query="Who?"), port)
        return waiting.cancelled_caught

    assert anyio.run(impatient)


@pytest.mark.parametrize(("save", "held"), [(True, 4), (False, 3)])
def test_history_is_saved_word_for_word_or_dropped(save: bool, held: int) -> None:
    async def hear() -> list[str]:
        session, port = await _opened(save_history=save, fail_on=["poison"])
        assert await session.hear(MemoryEvent(id="t9", content="A new fact."), port) == {}
        with pytest.raises(RuntimeError):
            await session.hear(MemoryEvent(id="t10", content="poison"), port)
        return [item.text for item in await port.items()]

    texts = anyio.run(hear)
    assert len(texts) == held
    assert ("A new fact." in texts) is save


@pytest.mark.parametrize("latency", [-1.0, float("inf"), float("nan")])
def test_impossible_latencies_are_refused(latency: float) -> None:
    with pytest.raises(ValidationError):
        ScriptedAgentConfig(latency_s=latency)

"""An agent that says what its configuration tells it to: for tests, and to measure the harness itself."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.memory.base import MemoryEvent
from heams.scenarios.usage import UsageByRole


class ScriptedAgentConfig(BaseModel):
    """Answers from a table; for tests and measurements.

    ``answers``: the answer for a stimulus, by its exact content or else its query; ``default`` for all others.
    ``latency_s``: how long an answer takes. ``recall``: ask the memory before answering; ``echo_recalled``: answer with
    the recalled texts, one a line, where the script has no answer (implies ``recall``). ``save_history``: what is heard
    through the agent is saved word for word; otherwise it is heard and dropped.
    ``fail_on``: a stimulus or event whose content has one of these parts raises ``RuntimeError``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["scripted"] = "scripted"
    answers: dict[str, str] = Field(default_factory=dict)
    default: str = ""
    latency_s: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    recall: bool = False
    echo_recalled: bool = False
    save_history: bool = False
    fail_on: tuple[str, ...] = ()


class ScriptedAgent(Agent):
    """Follows the script. Its session keeps nothing, so all scenarios share one."""

    config: ScriptedAgentConfig

    def __init__(self, config: ScriptedAgentConfig) -> None:
        super().__init__(config)
        self._session = _ScriptedSession(config)

    async def open(self, scope: AgentScope) -> AgentSession:
        """The session."""
        return self._session


class _ScriptedSession(AgentSession):
    def __init__(self, config: ScriptedAgentConfig) -> None:
        self._config = config
        self._recalls = config.recall or config.echo_recalled
        # replies are immutable, so that each is built once
        self._replies = {asked: AgentReply(text=text) for asked, text in config.answers.items()}
        self._default = AgentReply(text=config.default)

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """The scripted answer."""
        self._fail_if_told(stimulus.content)
        if self._config.latency_s:
            import anyio

            await anyio.sleep(self._config.latency_s)
        recalled = await memory.recall(stimulus.query) if self._recalls else ()
        reply = self._replies.get(stimulus.content) or self._replies.get(stimulus.query)
        if reply is None and self._config.echo_recalled:
            return AgentReply(text="\n".join(item.text for item in recalled))
        return reply or self._default

    async def hear(self, event: MemoryEvent, memory: MemoryPort) -> UsageByRole:
        """Save the event, or drop it."""
        self._fail_if_told(event.content)
        if self._config.save_history:
            await memory.write(event.content)
        return {}

    def _fail_if_told(self, content: str) -> None:
        for part in self._config.fail_on:
            if part in content:
                raise RuntimeError(f"the script fails on {part!r}")

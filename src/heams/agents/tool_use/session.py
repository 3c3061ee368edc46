"""One ``tool_use`` agent in one scenario: what it is told, what it answers, and what it remembers of the session."""

from collections.abc import Mapping

from pydantic import JsonValue

from heams.agents.base import AgentReply, AgentSession, FeedbackMessage, MemoryPort, Stimulus
from heams.agents.tool_use.config import ToolUseAgentConfig
from heams.agents.tool_use.conversation import Conversation
from heams.agents.tool_use.loop import Told, ToolLoop
from heams.agents.tool_use.memory_tools import Access
from heams.agents.tool_use.servers import McpServers
from heams.agents.tool_use.transcript import entries_of
from heams.memory.base import ForgetDemand, ForgetReceipt, MemoryEvent, UnsupportedOperation
from heams.scenarios.clock import Instant, shown_time
from heams.scenarios.usage import UsageByRole
from heta_framework.common.text.prompt_template import fill
from heta_framework.common.text.surrogates import replace_surrogates

NOT_TOLD = "not told"


class StepLimitReached(RuntimeError):  # noqa: N818 - reads as what happened
    """The model went on calling tools until its steps were used up, and never said anything."""


class ToolUseSession(AgentSession):
    """The model is shown the conversation since the session began; the memory outlives it."""

    def __init__(self, config: ToolUseAgentConfig, loop: ToolLoop, servers: McpServers | None) -> None:
        self._config = config
        self._loop = loop
        self._servers = servers
        self._conversation = Conversation(config.conversation_tokens)
        self._shown: dict[str, tuple[str, ...]] = {}
        self._now: Instant | None = None

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Answer one stimulus.

        Raises:
            StepLimitReached: the steps are used up and the model has said nothing.
            ModelRequestError, ModelResponseError, NoAnswer, CostLimitReached, ReplayMiss: see ``ToolLoop.tell``.
        """
        question = fill(
            self._config.answer_prompt,
            question=stimulus.content,
            now=shown_time(stimulus.at or self._now),
            principal=stimulus.principal,
        )
        access, told = await self._tell(question, memory)
        if told.text is None:
            raise StepLimitReached(
                f"the model used up its {self._config.step_limit} steps on tool calls and said nothing; "
                f"see 'step_limit' in the agent's configuration"
            )
        return AgentReply(
            text=replace_surrogates(told.text),
            tool_calls=entries_of(told.messages, final=told.answer),
            metadata=self._metadata(access, told),
        )

    async def hear(self, event: MemoryEvent, memory: MemoryPort) -> UsageByRole:
        """Show the model an event and let it decide what to save. The call path counts what it costs."""
        if self._config.hear_prompt is None:
            raise UnsupportedOperation("this agent does not listen: its configuration has no 'hear_prompt'")
        heard = fill(
            self._config.hear_prompt,
            content=event.content,
            speaker=event.speaker,
            now=shown_time(event.at or self._now),
        )
        await self._tell(heard, memory)
        return {}

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        """Tell the model how an answer went; one that can save may act on it at once."""
        if self._config.feedback_prompt is None:
            raise UnsupportedOperation("this agent is not told how it did: its configuration has no 'feedback_prompt'")
        outcome = {None: NOT_TOLD, True: "correct", False: "wrong"}[message.correct]
        expected = NOT_TOLD if message.expected is None else message.expected
        text = replace_surrogates(fill(self._config.feedback_prompt, outcome=outcome, expected=expected))
        if self._config.keeps_memory:
            await self._tell(text, memory)
        else:
            self._conversation.note(text)

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        """Ask the model to forget with the tools of its servers; the receipt holds its words."""
        if self._config.forget_prompt is None:
            raise UnsupportedOperation("this agent cannot forget: its configuration has no 'forget_prompt'")
        request = fill(
            self._config.forget_prompt,
            request=demand.content,
            now=shown_time(demand.at or self._now),
            principal=demand.principal,
        )
        _, told = await self._tell(request, None)
        return ForgetReceipt(note=replace_surrogates(told.text or ""))

    async def begin_session(self, session_id: str) -> None:
        """Drop the conversation."""
        self._conversation.clear()
        self._shown.clear()

    async def advance(self, now: Instant) -> None:
        """Remember the time."""
        self._now = now

    async def close(self) -> None:
        """End the session's servers."""
        if self._servers is not None:
            await self._servers.close()

    async def _tell(self, text: str, memory: MemoryPort | None) -> tuple[Access, Told]:
        access = Access(self._config, memory, self._shown)
        told = await self._loop.tell(
            replace_surrogates(text),
            access,
            history=self._conversation.messages,
            toolsets=self._servers.toolsets if self._servers is not None else (),
        )
        self._conversation.add(told.messages)
        return access, told

    def _metadata(self, access: Access, told: Told) -> Mapping[str, JsonValue]:
        counts = {
            "tool_calls": access.calls,
            "cut_results": access.cut_results,
            "dropped_exchanges": self._conversation.dropped,
        }
        found: dict[str, JsonValue] = {"finish": told.finish, "steps": told.steps}
        found |= {name: count for name, count in counts.items() if count}
        return found | ({"unsupported": [*access.unsupported]} if access.unsupported else {})

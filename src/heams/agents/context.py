"""An agent that puts what the memory recalls into one prompt: no tools, one request, a budget of tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.memory.base import RecalledItem
from heams.scenarios.clock import UNKNOWN, Instant, shown_time
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.text.prompt_template import fill, gaps
from heta_framework.common.text.surrogates import replace_surrogates

if TYPE_CHECKING:
    from heta_framework.common.models.language.protocol import LanguageModelProtocol

Text = Annotated[str, StringConstraints(pattern=r"\S")]


class ContextAgentConfig(LanguageModelConfig):
    """A language model that is shown what the memory recalls for the question, in one prompt.

    ``policy`` stands above the prompt; ``prompt`` wraps memories and question; ``memory_line`` is how one memory is
    written, ``no_memories`` what stands there if there are none. ``context_tokens``: the most tokens of memories, in
    tokens of the shipped tokenizer. What does not fit is left out, the least relevant first; a memory that does not
    rank (``full_context``) gives up its oldest. ``order``: in which order they are shown, by ``relevance`` (as the
    memory recalled them) or by ``time``. ``recall_limit``: items asked of the memory; None leaves it to the budget.
    """

    type: Literal["context"] = "context"
    policy: Text
    prompt: Annotated[str, gaps("memories", "question", "now", "principal")]
    memory_line: Annotated[str, gaps("text", "speaker", "at")]
    no_memories: Text
    context_tokens: int = Field(ge=1)
    order: Literal["relevance", "time"] = "relevance"
    recall_limit: int | None = Field(default=None, ge=1)


class ContextAgent(Agent):
    """One model for all sessions."""

    config: ContextAgentConfig

    async def start(self) -> None:
        """Open the model.

        Raises:
            ModelSetupError: it cannot be called as it is configured.
        """
        _ = self._model

    async def open(self, scope: AgentScope) -> AgentSession:
        """A session; it keeps nothing from one question to the next but the time."""
        return _ContextSession(self.config, self._model)

    @cached_property
    def _model(self) -> "LanguageModelProtocol":
        from heta_framework.common.models.language.opening import open_language_model

        return open_language_model(self.config, role="agent")


class _ContextSession(AgentSession):
    def __init__(self, config: ContextAgentConfig, model: "LanguageModelProtocol") -> None:
        self._config = config
        self._model = model
        self._now: Instant | None = None

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Recall with the bare question, and answer from what fits.

        Raises:
            ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: see ``LanguageModelProtocol.invoke``.
        """
        from heta_framework.common.models.language.types import ModelRequest

        config = self._config
        items = await memory.recall(stimulus.query, limit=config.recall_limit)
        packed = pack(items, config, ranked=memory.capabilities.ranked)
        prompt = fill(
            config.prompt,
            memories=packed.text or config.no_memories,
            question=stimulus.content,
            now=shown_time(stimulus.at or self._now),
            principal=stimulus.principal,
        )
        result = await self._model.invoke(
            ModelRequest(prompt=replace_surrogates(prompt), system_prompt=replace_surrogates(config.policy))
        )
        text = replace_surrogates(result.text)
        answered = bool(text.strip())
        metadata: dict[str, JsonValue] = {
            "finish": (result.finish_reason or "stop") if answered else "empty",
            "memories": packed.shown,
            "left_out": packed.left_out,
            "memory_tokens": packed.tokens,
        }
        return AgentReply(text=text if answered else "", metadata=metadata)

    async def advance(self, now: Instant) -> None:
        """Remember the time."""
        self._now = now


@dataclass(frozen=True, slots=True)
class Packed:
    """The memories of a prompt: how many were ``shown`` and ``left_out``, and their length in tokens."""

    text: str
    shown: int
    left_out: int
    tokens: int


def pack(items: Sequence[RecalledItem], config: ContextAgentConfig, *, ranked: bool) -> Packed:
    """What fits of ``items``. One that is longer than what is left of the budget is left out, and the next is tried."""
    from heta_framework.common.text.tokens import count_tokens

    kept: dict[int, str] = {}
    room = config.context_tokens
    wanted = range(len(items)) if ranked else range(len(items) - 1, -1, -1)
    for index in wanted:
        line = memory_line(items[index], config.memory_line)
        length = count_tokens(line) + 1  # the line break
        if length <= room:
            kept[index] = line
            room -= length
    text = _in_order(kept, items, config)
    while (tokens := count_tokens(text)) > config.context_tokens:  # lines may have more tokens together than alone
        kept.popitem()
        text = _in_order(kept, items, config)
    return Packed(text, len(kept), len(items) - len(kept), tokens)


def _in_order(lines: Mapping[int, str], items: Sequence[RecalledItem], config: ContextAgentConfig) -> str:
    """The lines as they are shown; each stands under the place of its item."""
    shown = sorted(lines, key=lambda index: (_when(items[index], config.order), index))
    return "\n".join(lines[index] for index in shown)


def memory_line(item: RecalledItem, template: str) -> str:
    """One memory as it is shown."""
    at = shown_time(item.at)
    return replace_surrogates(fill(template, text=item.text, speaker=item.speaker or UNKNOWN, at=at))


def _when(item: RecalledItem, order: str) -> datetime:
    """What is sorted by time comes before what has none, in the order of recall where times are equal."""
    last = datetime.max.replace(tzinfo=UTC)
    return item.at or last if order == "time" else last

"""One pydantic-ai agent, shared by all sessions: asks the model, makes the calls it wants, until it answers.

Cost limit, replay misses and failures of the memory pass through untouched; a call of the model that failed for good
becomes a ``ModelRequestError`` or ``ModelResponseError``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pydantic_ai
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.exceptions import ContentFilterError, UnexpectedModelBehavior, UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.run import AgentRun
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from heams.agents.tool_use.config import ToolUseAgentConfig
from heams.agents.tool_use.memory_tools import Access, memory_toolset
from heams.agents.tool_use.transcript import last_response, last_text
from heta_framework.common.models.errors import CallFailed, ModelRequestError, ModelResponseError
from heta_framework.common.models.providers.instrumentation import instrumentation

_ANSWER: Any = str | None
"""None lets an answer without a word be an answer, instead of being asked for again."""


class NoAnswer(RuntimeError):  # noqa: N818 - reads as what happened
    """The model ended without an answer."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the model made of something it was told.

    ``text`` is None where the step limit was reached before it said anything. ``finish`` is the provider's reason
    (``stop``, ``length``, ``content_filter`` ...), ``empty`` for an answer without a word, or ``step_limit``.
    """

    text: str | None
    finish: str
    messages: Sequence[ModelMessage]

    @property
    def answer(self) -> ModelResponse | None:
        """The message that holds the answer."""
        return None if self.finish == "step_limit" else last_response(self.messages)

    @property
    def steps(self) -> int:
        """Requests that the model answered."""
        return sum(isinstance(message, ModelResponse) for message in self.messages)


class ToolLoop:
    """The model of a configuration with its tools."""

    def __init__(self, config: ToolUseAgentConfig, model: Model) -> None:
        pydantic_ai.BANNER_ENABLED = False
        self._limits = UsageLimits(request_limit=config.step_limit)
        self._agent: pydantic_ai.Agent[Access, str | None] = pydantic_ai.Agent(
            model,
            name=config.type,
            output_type=_ANSWER,
            instructions=config.policy,
            deps_type=Access,
            # a wrong call is answered with what is wrong; the step limit ends a model that does not learn
            retries={"tools": config.step_limit, "output": 0},
            toolsets=[memory_toolset(config)],
            capabilities=_spans(config),
        )

    async def tell(
        self,
        prompt: str,
        access: Access,
        *,
        history: Sequence[ModelMessage] = (),
        toolsets: Sequence[AbstractToolset[Access]] = (),
    ) -> Told:
        """Tell the model something and let it act until it answers.

        Raises:
            ModelRequestError, ModelResponseError: the model could not be asked, or gave nothing usable.
            NoAnswer: it ended without an answer.
            CostLimitReached, ReplayMiss: the run may not ask.
        """
        try:
            async with self._agent.iter(
                prompt, message_history=history, deps=access, usage_limits=self._limits, toolsets=toolsets
            ) as run:
                return await _told(run)
        except CallFailed as failure:
            raised = ModelResponseError if failure.kind == "response" else ModelRequestError
            raise raised(f"the model could not be asked: {failure}") from failure
        except UnexpectedModelBehavior as error:
            raise NoAnswer(f"the model gave no answer: {error}") from error


def _spans(config: ToolUseAgentConfig) -> Sequence[Instrumentation]:
    settings = instrumentation() if config.tracing else None
    return [Instrumentation(settings=settings)] if settings is not None else []


async def _told(run: AgentRun[Access, Any]) -> Told:
    try:
        async for _ in run:
            pass
    except UsageLimitExceeded:
        messages = run.new_messages()
        return Told(last_text(messages) or None, "step_limit", messages)
    except ContentFilterError:
        return Told("", "content_filter", run.new_messages())
    messages = run.new_messages()
    text = str((run.result.output if run.result else None) or "")
    response = last_response(messages)
    reason = (response.finish_reason if response else None) or "stop"
    return Told(text, reason, messages) if text.strip() else Told("", "empty", messages)

"""What YAML says about a ``tool_use`` agent. Every word that the model reads as an instruction is said there."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from heams.agents.tool_use.mcp_config import MOST_SERVERS, McpServerConfig
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.text.prompt_template import gaps

ToolName = Literal["search_memory", "save_memory", "forget_memory", "list_memory"]
Text = Annotated[str, StringConstraints(pattern=r"\S")]

AnswerPrompt = Annotated[str, gaps("question", "now", "principal")]
HearPrompt = Annotated[str, gaps("content", "speaker", "now")]
FeedbackPrompt = Annotated[str, gaps("outcome", "expected")]
ForgetPrompt = Annotated[str, gaps("request", "now", "principal")]


class ToolUseAgentConfig(LanguageModelConfig):
    """A language model that reaches the memory through tools.

    ``policy`` stands above every conversation. ``answer_prompt`` wraps a question. ``tools`` describes the memory
    tools that the model may call; those that the memory system is not capable of are not offered. ``hear_prompt``
    wraps an event that the agent hears (``ingestion: through_agent``) and of which it decides what to save; without
    it the agent does not listen. ``feedback_prompt`` wraps what the agent is told about an earlier answer. With
    ``mcp_servers`` the agent keeps its memory in the tools of these servers, and ``forget_prompt`` wraps what it is
    asked to forget there.

    ``step_limit``: the most requests to the model per question, event or message. ``call_limit``: the most tool calls
    within them; further ones are answered with a refusal. ``search_limit``: the most items of one search; None leaves
    it to the recall budget. ``result_tokens``: the longest result of a tool, ``conversation_tokens``: the longest past
    of the same session that the model is shown, both in tokens of the shipped tokenizer. ``tracing``: OpenTelemetry
    spans of runs, requests and tool calls, for the tracer provider of the process, or the exporter that the standard
    variables name (``OTEL_EXPORTER_OTLP_ENDPOINT``; extra ``otel``).
    """

    not_data: ClassVar[frozenset[str]] = frozenset(f"mcp_servers.{index}.cwd" for index in range(MOST_SERVERS))
    """Path fields that say where to work; what lies there is no part of the configuration's identity."""

    type: Literal["tool_use"] = "tool_use"
    policy: Text
    answer_prompt: AnswerPrompt
    tools: Mapping[ToolName, Text]
    hear_prompt: HearPrompt | None = None
    feedback_prompt: FeedbackPrompt | None = None
    forget_prompt: ForgetPrompt | None = None
    mcp_servers: tuple[McpServerConfig, ...] = Field(default=(), max_length=MOST_SERVERS)
    step_limit: int = Field(default=12, ge=1, le=1_000)
    call_limit: int = Field(default=40, ge=1)
    search_limit: int | None = Field(default=None, ge=1)
    result_tokens: int = Field(default=4_000, ge=64)
    conversation_tokens: int = Field(default=16_000, ge=0)
    tracing: bool = False

    @model_validator(mode="after")
    def _one_memory(self) -> Self:
        if self.mcp_servers and self.tools:
            raise ValueError("with 'mcp_servers' the memory is theirs: 'tools' must be empty ({})")
        if self.forget_prompt and not self.mcp_servers:
            raise ValueError("'forget_prompt' is for agents with 'mcp_servers'; a memory system forgets by itself")
        return self

    @property
    def keeps_memory(self) -> bool:
        """Whether the model can save anything."""
        return bool(self.mcp_servers) or "save_memory" in self.tools

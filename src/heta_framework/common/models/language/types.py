"""What a language model is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ModelOptions:
    """Sampling of one request; what is None comes from the model's configuration.

    Attributes:
        response_format: ``"json"`` for any JSON object; ``response_schema`` of the request says more.
        provider_options: added to the request body as they are.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    top_p: float | None = None
    stop_sequences: Sequence[str] | None = None
    response_format: str | Mapping[str, Any] | None = None
    provider_options: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ContentPart:
    """A part of a request that is not one text: ``type`` ``text`` or ``image`` (bytes with a media type, or a URL)."""

    type: str
    text: str | None = None
    data: bytes | None = None
    media_type: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class ModelRequest:
    """One question to a model, as text (``prompt``) or in parts (``content``): exactly one of the two.

    Attributes:
        system_prompt: instructions that stand above the question.
        response_schema: a pydantic model class or a JSON schema (a mapping) that the answer must follow.
        trace_context: who asks, e.g. {"query_mode": ..., "stage": ...}; returned with the result.
        vote: repetitions of the same question are told apart by it, so that each is asked anew.
    """

    prompt: str | None = None
    content: Sequence[ContentPart] | None = None
    system_prompt: str | None = None
    options: ModelOptions | None = None
    response_schema: Any = None
    trace_context: Mapping[str, Any] | None = None
    vote: int = 0

    def __post_init__(self) -> None:
        if (self.prompt is None) == (self.content is None):
            raise ValueError("give exactly one of prompt and content")


@dataclass(frozen=True)
class TokenUsage:
    """Tokens as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True)
class ModelResult:
    """An answer.

    Attributes:
        text: the raw text, also where it was to follow a schema.
        parsed: the text read as the request's ``response_schema`` (an instance of the class, or JSON values); None
            without a schema, and where the text does not follow it.
        finish_reason: ``stop``, ``length``, ``content_filter`` or ``tool_call``; None where the provider did not say.
    """

    text: str
    parsed: Any = None
    model_name: str = ""
    token_usage: TokenUsage | None = None
    finish_reason: str | None = None
    trace_context: Mapping[str, Any] | None = None
    raw_response: Any = None


@dataclass(frozen=True)
class ModelChunk:
    """A piece of a streamed answer; ``finish_reason`` comes with the last one."""

    text: str
    finish_reason: str | None = None


@dataclass(frozen=True)
class ToolSpec:
    """A tool that a model may call; ``parameters`` is a JSON schema of an object."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True)
class ToolCall:
    """A call that a model wants made."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class ToolTurn:
    """One earlier turn of a conversation with tools: what the model called, and what each call returned."""

    calls: Sequence[ToolCall]
    results: Mapping[str, str]
    text: str = ""


@dataclass(frozen=True)
class ToolCallingResult(ModelResult):
    """An answer that may ask for tools; ``text`` is empty where the model only calls them."""

    tool_calls: Sequence[ToolCall] = ()

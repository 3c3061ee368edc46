"""A reply of pydantic-ai in our terms: text, the value it was to follow, tokens, and calls of tools."""

from typing import Any

from pydantic_ai.messages import ModelResponse, ToolCallPart

from heta_framework.common.models.errors import ModelResponseError
from heta_framework.common.models.language.schema import read_as
from heta_framework.common.models.language.types import (
    ModelRequest,
    ModelResult,
    TokenUsage,
    ToolCall,
    ToolCallingResult,
)
from heta_framework.common.models.providers.asking import OUTPUT_TOOL

_EXCERPT = 200  # characters


def result_of(response: ModelResponse, request: ModelRequest, model_name: str) -> ModelResult:
    """The answer to a request without tools."""
    return ModelResult(**_fields(response, request, model_name))


def tool_result_of(response: ModelResponse, request: ModelRequest, model_name: str) -> ToolCallingResult:
    """The answer to a request with tools.

    Raises:
        ModelResponseError: the arguments of a call are no JSON object.
    """
    cut = response.finish_reason == "length"
    calls = [_call(part, request, cut) for part in response.tool_calls if part.tool_name != OUTPUT_TOOL]
    return ToolCallingResult(**_fields(response, request, model_name), tool_calls=tuple(calls))


def tokens_of(response: ModelResponse) -> TokenUsage | None:
    """Tokens as the provider counted them; None where it counted none."""
    usage = response.usage
    if not (usage.input_tokens or usage.output_tokens):
        return None
    return TokenUsage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)


def _fields(response: ModelResponse, request: ModelRequest, model_name: str) -> dict[str, Any]:
    text = text_of(response)
    schema = request.response_schema
    return {
        "text": text,
        "parsed": None if schema is None else read_as(schema, text),
        "model_name": response.model_name or model_name,
        "token_usage": tokens_of(response),
        "finish_reason": response.finish_reason,
        "trace_context": request.trace_context,
        "raw_response": response,
    }


def text_of(response: ModelResponse) -> str:
    """What the model said; an answer that came through the output tool is the JSON it gave."""
    for part in response.tool_calls:
        if part.tool_name == OUTPUT_TOOL:
            return part.args if isinstance(part.args, str) else part.args_as_json_str()
    return response.text or ""


def _call(part: ToolCallPart, request: ModelRequest, cut: bool) -> ToolCall:
    try:
        arguments = part.args_as_dict(raise_if_invalid=True)
    except (ValueError, AssertionError) as error:
        problem = "cut off at 'max_tokens'; allow more of them" if cut else "no JSON object"
        raise ModelResponseError(
            f"the model called {part.tool_name!r} with arguments that are {problem}: {_excerpt(part.args)}",
            trace_context=request.trace_context,
        ) from error
    return ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=arguments)


def _excerpt(given: object) -> str:
    shown = repr(given)
    return shown if len(shown) <= _EXCERPT else f"{shown[:_EXCERPT]}..."

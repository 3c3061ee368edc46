"""Conversations with tools: what a model calls, what it is told, and arguments that are none."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from heta_framework.common.models import (
    LanguageModelConfig,
    ModelRequest,
    ModelResponseError,
    ToolCall,
    ToolCallingLanguageModel,
    ToolCallingLanguageModelProtocol,
    ToolSpec,
    ToolTurn,
    open_language_model,
)

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]
WEATHER = ToolSpec(
    "weather",
    "Tells the weather of a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
CALLS = {"tool_calls": [{"name": "weather", "arguments": {"city": "Oslo"}}]}


def model() -> ToolCallingLanguageModel:
    return open_language_model(LanguageModelConfig(model="openai:gpt-4o-mini"), role="agent")


def test_a_call_comes_back_with_its_arguments(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": CALLS})
    asked = model()
    assert isinstance(asked, ToolCallingLanguageModelProtocol)
    result = asyncio.run(asked.invoke_with_tools(ModelRequest("Is it cold in Oslo?"), [WEATHER]))
    assert [(call.name, call.arguments) for call in result.tool_calls] == [("weather", {"city": "Oslo"})]
    assert (result.text, result.finish_reason) == ("", "tool_call")
    offered = server.log.entries[-1].body["tools"][0]["function"]
    assert (offered["name"], offered["description"]) == ("weather", "Tells the weather of a city.")
    assert offered["parameters"]["required"] == ["city"]


def test_earlier_turns_are_told(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": "It is cold."})
    call = ToolCall("call-1", "weather", {"city": "Oslo"})
    turn = ToolTurn([call], {"call-1": "-3 degrees"}, text="Let me see.")
    result = asyncio.run(model().invoke_with_tools(ModelRequest("Is it cold in Oslo?"), [WEATHER], [turn]))
    assert (result.text, result.tool_calls) == ("It is cold.", ())
    roles = [message["role"] for message in server.log.entries[-1].body["messages"]]
    assert roles == ["user", "assistant", "tool"]
    assert server.log.entries[-1].body["messages"][-1]["content"] == "-3 degrees"
    assert server.log.entries[-1].body["messages"][-1]["tool_call_id"] == "call-1"


def test_arguments_that_are_no_object_are_an_unusable_answer(openai_server: Start) -> None:
    openai_server(brain={"fixed": {"tool_calls": [{"name": "weather", "arguments": "[Oslo"}]}})
    with pytest.raises(ModelResponseError, match="weather"):
        asyncio.run(model().invoke_with_tools(ModelRequest("Is it cold?", trace_context={"n": 1}), [WEATHER]))


def test_arguments_cut_at_the_token_limit_say_so_in_few_words(openai_server: Start) -> None:
    call = {"name": "weather", "arguments": '{"city": "O' + "s" * 5_000}
    openai_server(brain={"fixed": {"tool_calls": [call], "finish_reason": "length"}})
    with pytest.raises(ModelResponseError, match="cut off at 'max_tokens'") as refused:
        asyncio.run(model().invoke_with_tools(ModelRequest("?"), [WEATHER]))
    assert len(str(refused.value)) < 400

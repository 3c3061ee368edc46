"""What of a chat request decides its answer, as JSON: without ids, times and what else differs between equal requests.

Everything that pydantic-ai may send is in, unless it is named here as left out: a field that nobody thought of makes
two requests differ, which costs a call, and never makes two requests equal, which would cost a wrong answer.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue, TypeAdapter
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

_MESSAGE_FIELDS = ("kind", "instructions")
_NOT_OF_PARTS = frozenset(
    {
        "timestamp",
        "id",
        "tool_call_id",
        "metadata",
        "provider_name",
        "provider_details",
        "signature",
        "dynamic_ref",
        "context_id",
    }
)
"""Times, ids, notes to oneself, and a provider's seals on its own earlier words."""
_NOT_OF_TOOLS = frozenset({"metadata", "timeout", "toolset_id", "capability_id", "sequential"})
_PARAMETERS = (
    "function_tools",
    "native_tools",
    "output_mode",
    "output_object",
    "output_tools",
    "prompted_output_template",
    "allow_text_output",
    "allow_image_output",
)
_TRANSPORT = frozenset({"timeout", "request_timeout", "first_event_timeout", "max_retries", "extra_headers"})
_JSON: TypeAdapter[Any] = TypeAdapter(Any)


def chat_identity(
    messages: Sequence[ModelMessage], settings: ModelSettings | None, parameters: ModelRequestParameters
) -> dict[str, JsonValue]:
    """Messages, tools, schema and sampling. Ids of tool calls are numbered in order of appearance."""
    numbers: dict[str, int] = {}
    dumped = ModelMessagesTypeAdapter.dump_python(list(messages), mode="json")
    identity = {
        "messages": [_message(message, numbers) for message in dumped],
        "instructions": [part.content for part in parameters.instruction_parts or ()],
        "settings": _sampling(settings),
        **{name: _parameter(getattr(parameters, name)) for name in _PARAMETERS},
    }
    return cast("dict[str, JsonValue]", {name: value for name, value in identity.items() if value not in (None, [])})


def _message(message: Mapping[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    kept = {name: message[name] for name in _MESSAGE_FIELDS if message.get(name) is not None}
    return {**kept, "parts": [_part(part, numbers) for part in message["parts"]]}


def _part(part: Mapping[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    kept = {name: _content(value) for name, value in part.items() if name not in _NOT_OF_PARTS and value is not None}
    if "args" in kept:
        kept["args"] = _arguments(kept["args"])
    call_id = part.get("tool_call_id")
    return {**kept, "call": numbers.setdefault(call_id, len(numbers))} if call_id else kept


def _content(value: Any) -> Any:
    """``value`` with the bytes of images and files by their digest."""
    if isinstance(value, list):
        return [_content(element) for element in value]
    if not isinstance(value, dict):
        return value
    if value.get("kind") == "binary" and isinstance(value.get("data"), str):
        return {**value, "data": hashlib.sha256(value["data"].encode()).hexdigest()}
    return {name: _content(element) for name, element in value.items()}


def _arguments(arguments: Any) -> Any:
    """Arguments of a call are sent in one form, whether they were kept as text or as an object."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _parameter(value: Any) -> Any:
    """A parameter as JSON; of tools what the model gets to see of them, and how they bind it."""
    dumped = _JSON.dump_python(value, mode="json")
    if isinstance(dumped, list):
        return [{key: kept for key, kept in tool.items() if key not in _NOT_OF_TOOLS} for tool in dumped]
    return dumped


def _sampling(settings: ModelSettings | None) -> dict[str, Any]:
    chosen = {key: value for key, value in (settings or {}).items() if key not in _TRANSPORT and value is not None}
    return cast("dict[str, Any]", _JSON.dump_python(chosen, mode="json"))

"""What the model did on its way to an answer: every tool call with its arguments and its result, and every text."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise

from pydantic import JsonValue
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_core import from_json

from heta_framework.common.text.surrogates import replace_surrogates

LONGEST = 8_000
"""Characters of an entry's text, result or arguments; what is longer is cut, and the entry says how long it was."""

Entry = Mapping[str, JsonValue]


def entries_of(messages: Sequence[ModelMessage], *, final: ModelResponse | None = None) -> tuple[Entry, ...]:
    """Calls and texts in order, without the texts of ``final``, which are the answer itself."""
    returned = _returns(messages)
    entries: list[Entry] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            for part in message.parts:
                if isinstance(part, ToolCallPart):
                    entries.append(_call(part, returned.get(id(message), {}).get(part.tool_call_id)))
                elif isinstance(part, TextPart) and part.content and message is not final:
                    entries.append(_text(part.content))
    return tuple(entries)


def last_text(messages: Sequence[ModelMessage]) -> str:
    """The last text that the model said; empty where it said none."""
    for message in reversed(messages):
        if isinstance(message, ModelResponse) and (message.text or "").strip():
            return message.text or ""
    return ""


def last_response(messages: Sequence[ModelMessage]) -> ModelResponse | None:
    """The model's last message."""
    return next((message for message in reversed(messages) if isinstance(message, ModelResponse)), None)


def _returns(messages: Sequence[ModelMessage]) -> dict[int, dict[str, ToolReturnPart]]:
    """What came back to each response: ids of calls are unique only within one, if the model keeps to that."""
    found: dict[int, dict[str, ToolReturnPart]] = {}
    for response, request in pairwise(messages):
        if isinstance(response, ModelResponse) and isinstance(request, ModelRequest):
            parts = [part for part in request.parts if isinstance(part, ToolReturnPart)]
            found[id(response)] = {part.tool_call_id: part for part in parts}
    return found


def _call(call: ToolCallPart, returned: ToolReturnPart | None) -> Entry:
    entry: dict[str, JsonValue] = {"tool": replace_surrogates(call.tool_name)[:LONGEST]}
    entry |= _arguments(call)
    if returned is None:
        return {**entry, "outcome": "not_made"}
    result = replace_surrogates(returned.model_response_str(wrap_if_error=False))
    return {**entry, "outcome": returned.outcome, **_cut("result", result)}


def _arguments(call: ToolCallPart) -> Entry:
    """The arguments as JSON where they are JSON of bearable length, else as the text that the model wrote."""
    written = call.args if isinstance(call.args, str) else json.dumps(call.args or {}, ensure_ascii=False)
    if len(written) <= LONGEST:
        try:
            value: JsonValue = from_json(written or "{}", allow_inf_nan=False)
        except ValueError:
            pass
        else:
            return {"arguments": value}
    return _cut("arguments", replace_surrogates(written))


def _text(text: str) -> Entry:
    return _cut("text", replace_surrogates(text))


def _cut(name: str, text: str) -> dict[str, JsonValue]:
    if len(text) <= LONGEST:
        return {name: text}
    return {name: text[:LONGEST], f"{name}_characters": len(text)}

"""What a brain answers, and how OpenAI writes that down: one body, or a stream of events."""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

WORDS_PER_EVENT = 4
MOST_EVENTS = 500


class ToolCall(BaseModel):
    """One function call; ``arguments`` as a string is sent as it is, so that it may be broken JSON."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    arguments: dict[str, JsonValue] | str = Field(default_factory=dict)

    def arguments_text(self) -> str:
        """The arguments as they go over the wire."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


class Reply(BaseModel):
    """A reply: text, or ``data`` written as JSON text, or (parallel) tool calls."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str | None = None
    data: JsonValue = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None

    def content(self) -> str | None:
        """The message's text; None when the reply is tool calls only."""
        if self.text is None and self.data is not None:
            return json.dumps(self.data, ensure_ascii=False)
        return self.text if self.text is not None or self.tool_calls else ""

    def finish(self) -> str:
        """Why the model stopped: as scripted, else by what the reply holds."""
        return self.finish_reason or ("tool_calls" if self.tool_calls else "stop")

    def tokens(self) -> int:
        """Whitespace words of the text and of the tool calls (a name counts one); at least 1."""
        calls = sum(1 + len(call.arguments_text().split()) for call in self.tool_calls)
        return max(len((self.content() or "").split()) + calls, 1)


class Usage(BaseModel):
    """Tokens of one exchange; ``cached`` is the part of ``prompt`` that the provider had already seen."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: int = 0
    completion: int = 0
    cached: int = 0

    def wire(self) -> dict[str, Any]:
        """As OpenAI writes it."""
        return {
            "prompt_tokens": self.prompt,
            "completion_tokens": self.completion,
            "total_tokens": self.prompt + self.completion,
            "prompt_tokens_details": {"cached_tokens": self.cached},
        }


def completion(reply: Reply, usage: Usage | None, *, number: int, model: str, choices: int = 1) -> dict[str, Any]:
    """The body of a plain chat completion; without ``usage`` the field is left out."""
    message = {"role": "assistant", "content": reply.content()}
    if reply.tool_calls:
        message["tool_calls"] = _wire_calls(reply, number)  # type: ignore[assignment]
    body = _head("chat.completion", number, model) | {
        "choices": [
            {"index": index, "message": message, "finish_reason": reply.finish(), "logprobs": None}
            for index in range(choices)
        ]
    }
    return body | {"usage": usage.wire()} if usage else body


def events(reply: Reply, usage: Usage | None, *, number: int, model: str) -> list[dict[str, Any]]:
    """The events of a streamed completion, in order, without the closing ``[DONE]``."""
    head = _head("chat.completion.chunk", number, model)
    deltas = [{"role": "assistant", "content": "" if reply.content() is not None else None}]
    deltas += [{"content": piece} for piece in pieces(reply.content() or "")]
    deltas += _call_deltas(reply, number)
    chunks = [head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish()}]})
    if usage:
        chunks.append(head | {"choices": [], "usage": usage.wire()})
    return chunks


def pieces(text: str) -> list[str]:
    """The text in pieces of a few words, losing no character; of more words when the text is long."""
    words = text.split(" ")
    size = max(WORDS_PER_EVENT, len(words) // MOST_EVENTS)
    grouped = [" ".join(words[start : start + size]) for start in range(0, len(words), size)]
    return [piece + (" " if index + 1 < len(grouped) else "") for index, piece in enumerate(grouped)] if text else []


def _head(kind: str, number: int, model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 1_700_000_000 + number, "model": model}


def _wire_calls(reply: Reply, number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{number}_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments_text()},
        }
        for index, call in enumerate(reply.tool_calls)
    ]


def _call_deltas(reply: Reply, number: int) -> list[dict[str, Any]]:
    deltas = []
    for index, call in enumerate(_wire_calls(reply, number)):
        opening = call | {"index": index, "function": {"name": call["function"]["name"], "arguments": ""}}
        deltas.append({"tool_calls": [opening]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in pieces(call["function"]["arguments"])
        ]
    return deltas

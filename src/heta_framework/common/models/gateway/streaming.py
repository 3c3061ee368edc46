"""A whole chat completion, told again as the server-sent events that a library asked for.

Calls are cached, recorded and retried whole, so nothing is gained by streaming from the endpoint.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

_HEAD = ("id", "created", "model", "system_fingerprint")


def events_of(reply: Mapping[str, Any], *, with_usage: bool) -> Iterator[bytes]:
    """The events of a stream that amounts to ``reply``, the closing ``[DONE]`` included."""
    head = {name: reply[name] for name in _HEAD if name in reply} | {"object": "chat.completion.chunk"}
    for choice in reply["choices"]:
        index = choice.get("index", 0)
        yield _event(head | {"choices": [{"index": index, "delta": _delta(choice["message"]), "finish_reason": None}]})
        finish = choice.get("finish_reason") or "stop"
        yield _event(head | {"choices": [{"index": index, "delta": {}, "finish_reason": finish}]})
    if with_usage and reply.get("usage"):
        yield _event(head | {"choices": [], "usage": reply["usage"]})
    yield b"data: [DONE]\n\n"


def _delta(message: Mapping[str, Any]) -> dict[str, Any]:
    delta = dict(message)
    if delta.get("tool_calls"):
        delta["tool_calls"] = [{"index": index, **call} for index, call in enumerate(delta["tool_calls"])]
    return delta


def _event(content: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n\n"

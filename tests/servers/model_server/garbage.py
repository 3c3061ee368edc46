"""Replies with status 200 that no client can use."""

import json
from typing import Any

from .faults import Fault
from .replies import Usage

HTML = b"<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>"
KINDS = ("malformed_json", "no_choices", "empty_choices", "null_content", "html")
WITH_USAGE = ("empty_choices", "null_content")


def garbage(fault: Fault, *, chat: bool, streams: bool, usage: Usage | None) -> tuple[bytes, str, Usage | None]:
    """Body, media type, and the usage told: empty choices and contents still come with one, as providers do."""
    if fault.kind == "html":
        return HTML, "text/html", None
    body = _body(fault.kind, "delta" if streams else "message") if chat else _list(fault.kind)
    told = usage if fault.kind in WITH_USAGE else None
    if told:
        body |= {"usage": told.wire()}
    text = json.dumps(body)
    if fault.kind == "malformed_json":
        text = text[: len(text) // 2]
    if streams:
        return f"data: {text}\n\ndata: [DONE]\n\n".encode(), "text/event-stream", told
    return text.encode(), "application/json", told


def _body(kind: str, part: str) -> dict[str, Any]:
    head = {"id": "chatcmpl-0", "created": 1_700_000_000, "model": "m"}
    head["object"] = "chat.completion.chunk" if part == "delta" else "chat.completion"
    if kind == "no_choices":
        return head
    choice = {"index": 0, part: {"role": "assistant", "content": None}, "finish_reason": "stop"}
    return head | {"choices": [] if kind == "empty_choices" else [choice]}


def _list(kind: str) -> dict[str, Any]:
    if kind == "no_choices":
        return {"object": "list"}
    row = {"object": "embedding", "index": 0, "embedding": None, "relevance_score": None}
    rows = [] if kind == "empty_choices" else [row]
    return {"object": "list", "data": rows, "results": rows}

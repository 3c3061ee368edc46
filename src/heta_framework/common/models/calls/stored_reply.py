"""A reply as JSON that outlives the process: what was answered and counted, not how this time's attempts went."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from heta_framework.common.models.calls.call import ModelReply, ReplySource

_TOKENS = ("input_tokens", "output_tokens", "cached_tokens")


def reply_fields(reply: ModelReply) -> dict[str, JsonValue]:
    """Body, tokens and seconds. Retries belong to the run that made them and are left out."""
    counted: dict[str, JsonValue] = {name: getattr(reply, name) for name in _TOKENS}
    return {"body": reply.body, **counted, "seconds": reply.seconds}


def reply_from(fields: Mapping[str, Any], source: ReplySource) -> ModelReply:
    """The reply that ``fields`` hold, told by ``source``.

    Raises:
        ValueError: they hold none.
    """
    tokens: dict[str, Any] = {name: fields.get(name) for name in _TOKENS}
    seconds = fields.get("seconds", 0.0)
    if "body" not in fields or not all(_is_count(value) for value in tokens.values()) or not _is_time(seconds):
        raise ValueError("no reply of a model")
    return ModelReply(body=fields["body"], **tokens, seconds=float(seconds), source=source)


def copied(body: JsonValue) -> JsonValue:
    """A copy of JSON values that shares nothing that can be changed."""
    if isinstance(body, dict):
        return {name: copied(value) for name, value in body.items()}
    if isinstance(body, list):
        return [copied(value) for value in body]
    return body


def _is_count(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0

"""Keeps secrets out of words: whoever uses a key registers it, whoever writes a message lets it be looked through."""

import json
from typing import Final
from urllib.parse import quote

from pydantic import JsonValue

REDACTED = "***"
_SHORTEST: Final = 4
_SHORTEST_IN_REPLIES: Final = 8
"""Words that stand for a key where none is needed (``none``, ``dummy``) are left in what models say."""

_secrets: tuple[str, ...] = ()


def register_secret(value: str) -> None:
    """From now on ``redact`` takes ``value`` out. Values of fewer than four characters hide nothing and are ignored."""
    global _secrets
    if len(value) < _SHORTEST or value in _secrets:
        return
    spellings = {value, json.dumps(value)[1:-1], quote(value, safe="")}
    # a new tuple, so that a thread that reads sees the old one or the new one; the longest first, as it may hold others
    _secrets = tuple(sorted({*_secrets, *spellings}, key=len, reverse=True))


def redact(text: str) -> str:
    """``text`` with every registered secret replaced."""
    for secret in _secrets:
        text = text.replace(secret, REDACTED)
    return text


def without_keys(body: JsonValue) -> JsonValue:
    """``body`` with registered secrets of eight or more characters replaced in all texts; itself where none is."""
    long = tuple(secret for secret in _secrets if len(secret) >= _SHORTEST_IN_REPLIES)
    return _cleaned(body, long) if long and _holds(body, long) else body


def _holds(value: JsonValue, secrets: tuple[str, ...]) -> bool:
    if isinstance(value, str):
        return any(secret in value for secret in secrets)
    if isinstance(value, dict):
        return any(_holds(item, secrets) for item in value.values())
    return isinstance(value, list) and any(_holds(item, secrets) for item in value)


def _cleaned(value: JsonValue, secrets: tuple[str, ...]) -> JsonValue:
    if isinstance(value, dict):
        return {name: _cleaned(item, secrets) for name, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, secrets) for item in value]
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, REDACTED)
    return value

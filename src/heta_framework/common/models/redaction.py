"""Keeps secrets out of words: whoever uses a key registers it, whoever writes a message lets it be looked through."""

import json
from urllib.parse import quote

REDACTED = "***"
_SHORTEST = 4

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

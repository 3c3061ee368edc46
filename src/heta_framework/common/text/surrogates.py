"""Lone surrogates: half a character that Python strings can hold and UTF-8, Rust and strict JSON cannot."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def replace_surrogates(text: str) -> str:
    """Return `text` with every lone surrogate replaced by U+FFFD; the length stays the same."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)

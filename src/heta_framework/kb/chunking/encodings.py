"""What a size counts: tokens of the shipped tokenizer, or code points."""

from __future__ import annotations

from typing import Literal

from heta_framework.common.config.nearest import did_you_mean

Encoding = Literal["wordllama", "unicode", "characters"]

_OWN: dict[str, Encoding] = {"wordllama": "wordllama", "unicode": "unicode", "characters": "characters"}
_TIKTOKEN = frozenset({"cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "gpt2"})


def resolved_encoding(name: str) -> Encoding:
    """The encoding that counts for a name.

    The names of tiktoken, whose tables are downloaded at run time, stand for the shipped tokenizer.

    Raises:
        ValueError: the name is unknown; the message names the nearest one.
    """
    if name in _TIKTOKEN:
        return "wordllama"
    if name not in _OWN:
        known = sorted([*_OWN, *_TIKTOKEN])
        hint = did_you_mean(name, known)
        raise ValueError(f"encoding_name {name!r} is unknown{f', {hint}' if hint else ''}; allowed: {', '.join(known)}")
    return _OWN[name]


def is_substituted(name: str) -> bool:
    """Whether the shipped tokenizer stands in for the named one."""
    return name in _TIKTOKEN

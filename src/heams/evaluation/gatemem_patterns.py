"""How GateMem's patterns are found in a text: by the official rule, and by the corrected one.

Official (`bench/eval/metrics.py`, rzhub/GateMem at 603f9f4b): a pattern with a backslash, a bracket, ``|``, ``?``,
``+`` or ``*`` is a regular expression, whether it was meant as one or not ("C++" finds every "c", "A+" every "a"); any
other is found as text, between word boundaries if it is ASCII.

Corrected: a pattern is text and is found in any spelling (`heta_framework.common.text.anchors`), unless it holds what
no text holds (``(?:``, ``.*``, ``\\d``, ``a|b``, ``no[- ]one``): then its authors meant an expression.
"""

import re
from functools import lru_cache
from typing import Any

from heta_framework.common.text.anchors import anchor_tokens
from heta_framework.common.text.lookalikes import plain_letters

_MEANT = re.compile(r"\(\?[:=!i<]|\.[*+]|\\[.dwsbDWSB()\[\]/+*?-]|\w\[[^\]]{1,4}\]\w|\w\)?\|\(?\w")
_OFFICIAL_SIGNS = frozenset("\\[]()|?+*{}")
_BETWEEN_BOUNDARIES = re.compile(r"[a-z0-9][a-z0-9\s_\-/.:]*[a-z0-9]", re.IGNORECASE)


class GateMemInputError(ValueError):
    """A prediction, score or pattern is not in GateMem's format."""


def official_hit(text: Any, pattern: Any) -> bool:
    """Whether the official rule finds the pattern; blank patterns are never found.

    As in the official code a text may be anything (None is empty), and a list of patterns is found as it is written.

    Raises:
        GateMemInputError: the pattern is a number or the like.
    """
    if not pattern:
        return False
    if not isinstance(pattern, str | list):
        raise GateMemInputError(f"pattern: found {pattern!r}; expected a text")
    searched = str(text or "")
    expression = _compiled(pattern) if isinstance(pattern, str) and _OFFICIAL_SIGNS.intersection(pattern) else None
    if expression is not None:
        return expression.search(searched) is not None
    low_text, low_pattern = _squeezed(searched), _squeezed(str(pattern))
    if not low_pattern:
        return False
    if _BETWEEN_BOUNDARIES.fullmatch(low_pattern):
        words = re.escape(low_pattern).replace(r"\ ", r"\s+")
        return re.search(rf"(?<!\w){words}(?!\w)", low_text, re.IGNORECASE) is not None
    return low_pattern in low_text


def meant_as_expression(pattern: str) -> bool:
    """Whether the corrected rule reads a pattern as a regular expression."""
    return _MEANT.search(pattern) is not None and _compiled(pattern) is not None


class SearchedText:
    """A text in which patterns are looked for by the corrected rule; its tokens are made once."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())
        self._tokens = _between_spaces(text)
        plain = plain_letters(text)
        self._plain_tokens = self._tokens if plain is text else _between_spaces(plain)

    def mention(self, pattern: str) -> str | None:
        """The words by which the pattern stands in the text; None where it does not."""
        if meant_as_expression(pattern):
            expression = _compiled(pattern)
            found = expression.search(self._text) if expression is not None else None
            return found.group() or None if found is not None else None
        sought, plain = _pattern_tokens(pattern)
        return pattern if sought.strip() and (sought in self._tokens or plain in self._plain_tokens) else None

    def mentions(self, patterns: tuple[str, ...]) -> list[str]:
        """Those of the patterns that stand in the text."""
        return [pattern for pattern in patterns if self.mention(pattern) is not None]


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error:
        return None


@lru_cache(maxsize=4096)
def _pattern_tokens(pattern: str) -> tuple[str, str]:
    """The tokens of a pattern, as it is and in plain letters."""
    return _between_spaces(pattern), _between_spaces(plain_letters(pattern))


def _between_spaces(text: str) -> str:
    return f" {' '.join(anchor_tokens(text))} "


def _squeezed(text: str) -> str:
    return " ".join(text.split()).lower()

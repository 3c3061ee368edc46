"""Whether a result says what a label's text says.

Both are cut into tokens, so that case, white space, punctuation and the spelling of characters and numbers do not count
(see `heta_framework.common.text.normalise`). The label's tokens must stand in the result in a row; the result is never
looked for in the label, so that a scrap of text matches nothing. With a ``coverage`` below 1 that share of them must
stand there in the same order, gaps allowed: for labels that were copied inexactly, or that a chunk's border cuts.
"""

from __future__ import annotations

from functools import lru_cache

from heta_framework.common.text.characters import unify
from heta_framework.common.text.matching import contains
from heta_framework.common.text.normalise import tokens
from heta_framework.common.text.subsequence import longest_common_subsequence

_REMEMBERED = 4_096  # the same chunks come back for many questions


def says(result_text: str, label: str, coverage: float = 1.0) -> bool:
    """Whether a result says what the label says.

    Args:
        coverage: in (0, 1]; the share of the label's tokens that the result must hold.
    """
    wanted = _tokens(label)
    if not wanted:  # punctuation alone: the same text or nothing
        return contains(result_text, label).value == 1.0
    if coverage < 1.0:
        return longest_common_subsequence(wanted, _tokens(result_text)) >= coverage * len(wanted)
    if _longest_word(label) not in _letters(result_text):
        return False
    return f" {' '.join(wanted)} " in f" {' '.join(_tokens(result_text))} "


@lru_cache(maxsize=_REMEMBERED)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(tokens(text))


@lru_cache(maxsize=_REMEMBERED)
def _longest_word(label: str) -> str:
    """The longest token that is all letters; empty where there is none."""
    return max((token for token in _tokens(label) if token.isalpha()), key=len, default="")


@lru_cache(maxsize=_REMEMBERED)
def _letters(text: str) -> str:
    """The text with every token of letters in one piece: cutting it into tokens takes ten times as long."""
    return unify(text).replace("'", "").replace(".", "")

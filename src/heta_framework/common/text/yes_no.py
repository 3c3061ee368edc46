"""Is an answer a yes or a no? Told by its first words, for an answer that goes on usually says why."""

from __future__ import annotations

from heta_framework.common.text.clauses import clauses
from heta_framework.common.text.normalise import tokens

_YES = frozenset(("yes", "yeah", "yep", "correct", "right", "indeed", "true", "affirmative", "confirmed", "sure"))
_NO = frozenset(("no", "nope", "nah", "incorrect", "wrong", "false", "negative", "not"))
_YES_PHRASES = (("that", "is", "correct"), ("that", "is", "right"), ("thats", "correct"), ("thats", "right"))
_NO_PHRASES = (("that", "is", "not"), ("thats", "not"), ("i", "do", "not"), ("i", "dont"), ("i", "have", "no"))
_FILLERS = frozenset(("well", "oh", "ok", "okay", "so", "and"))


def yes_or_no(answer: str) -> bool | None:
    """True for a yes, False for a no, None where the beginning is neither ("It ends in 4417.")."""
    first = next(iter(clauses(answer)), "")
    words = tokens(first)
    while words and words[0] in _FILLERS:
        words = words[1:]
    if not words:
        return None
    if words[0] in _YES or _begins(words, _YES_PHRASES):
        return True
    return False if words[0] in _NO or _begins(words, _NO_PHRASES) else None


def _begins(words: list[str], phrases: tuple[tuple[str, ...], ...]) -> bool:
    return any(tuple(words[: len(phrase)]) == phrase for phrase in phrases)

"""Is an answer a yes or a no? Told by its first words, for an answer that goes on usually says why.

A label before them ("Answer: yes", ``{"answer": "yes"}``) and openings that say neither ("Well", "Hm.", "No problem")
are passed over. "Yes and no" is neither; and words that often only open an answer ("Sure", "Right") are no yes where it
then declines or withholds: "Sure! I have no record of that."
"""

from __future__ import annotations

from heta_framework.common.text.clauses import clauses
from heta_framework.common.text.normalise import tokens
from heta_framework.common.text.refusal import refuses
from heta_framework.common.text.withholding import withholds

_YES = frozenset(
    (
        *("yes", "yeah", "yep", "yup", "correct", "right", "indeed", "true", "affirmative", "confirmed", "sure"),
        *("absolutely", "certainly", "definitely", "exactly", "precisely"),
    )
)
_NO = frozenset(("no", "nope", "nah", "incorrect", "wrong", "false", "negative", "not"))
_OPENERS = frozenset(("sure", "right", "correct", "true", "indeed", "absolutely", "certainly", "definitely", "exactly"))
_YES_PHRASES = (
    *(("that", "is", "correct"), ("that", "is", "right"), ("thats", "correct"), ("thats", "right")),
    *(("you", "are", "right"), ("youre", "right"), ("you", "are", "correct"), ("youre", "correct"), ("of", "course")),
)
_NO_PHRASES = (("that", "is", "not"), ("thats", "not"), ("i", "do", "not"), ("i", "dont"), ("i", "have", "no"))
_YES_ALONE = frozenset(
    f"{who} {verb}"
    for who in ("it", "he", "she", "they", "you", "i", "that")
    for verb in ("is", "are", "was", "were", "do", "does", "did", "sure is", "really is", "can", "have", "has")
) | {"i can confirm that", "i can confirm this", "i can confirm it", "i confirm that", "y"}
_NEITHER = (("yes", "and", "no"), ("correct", "me"))
_PASSED_OVER = (
    *(("well",), ("oh",), ("ok",), ("okay",), ("so",), ("and",), ("hm",), ("hmm",), ("ah",)),
    *(("no", "problem"), ("no", "worries"), ("no", "doubt"), ("not", "problem")),
    *(("my", "answer", "is"), ("answer", "is"), ("final", "answer"), ("answer",)),
)


def yes_or_no(answer: str) -> bool | None:
    """True for a yes, False for a no, None where the beginning is neither ("It ends in 4417.")."""
    words = next(filter(None, map(_first_words, clauses(answer))), None)
    if not words or _begins(words, _NEITHER):
        return None
    if words[0] in _YES or _begins(words, _YES_PHRASES) or " ".join(words) in _YES_ALONE:
        opens_only = (words[0] in _OPENERS or words[:2] == ["of", "course"]) and (refuses(answer) or withholds(answer))
        return None if opens_only else True
    return False if words[0] in _NO or _begins(words, _NO_PHRASES) else None


def _first_words(clause: str) -> list[str]:
    words = tokens(clause)
    while passed_over := next((phrase for phrase in _PASSED_OVER if _begins(words, (phrase,))), None):
        words = words[len(passed_over) :]
    return words


def _begins(words: list[str], phrases: tuple[tuple[str, ...], ...]) -> bool:
    return any(tuple(words[: len(phrase)]) == phrase for phrase in phrases)

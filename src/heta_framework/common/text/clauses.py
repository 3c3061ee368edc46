"""The clauses of a text, and which of their words stand under a negation.

A clause ends at ``.``, ``!``, ``?``, ``;``, a line's end, behind "no,", or before a contrast ("but", "however",
"although", ...). A word is negated where a negation stands among the ``WINDOW`` words before it in its clause ("I have
no record of a kiwi allergy", "don't", "never", "nothing about"), or where the clause says behind it that it is gone or
absent ("the kiwi allergy was deleted", "is no longer stored", "is not on file"). A rule for English, without a grammar:
irony, a negation further away, and double negations other than the usual ones ("don't hesitate to") are not seen.
"""

from __future__ import annotations

import re

from heta_framework.common.text.normalise import tokens

WINDOW = 8
"""Words before a mention among which a negation counts."""

_END = re.compile(
    r"(?<=[.!?;])\s+|[\n\r]+|(?<=\bno),\s+"
    r"|(?:,|(?<!\s))\s++(?=(?:but|however|although|though|yet|whereas|except|instead)\b)",
    re.IGNORECASE,
)
_IS_NOT = ("isnt", "arent", "wasnt", "werent", "hasnt", "havent", "hadnt")
_BEFORE = frozenset(
    (
        *("no", "not", "never", "none", "nothing", "neither", "nor", "without", "cannot", "cant", "dont", "doesnt"),
        *("didnt", "wont", "wouldnt", "couldnt", "shouldnt", "aint", "unable", "deny", "denies", "denied", "unaware"),
        *("false", *_IS_NOT),
    )
)
_ERASED = frozenset(("deleted", "removed", "erased", "forgotten", "purged", "wiped", "gone", "cleared"))
_GONE = _ERASED | {*_IS_NOT}
_VERBS = frozenset(("is", "are", "was", "were", "be", "been", "has", "have", "had"))
_TAG = re.compile(
    r",\s*(?:right|correct|yes|no"
    r"|(?:is|was|are|were|do|does|did|has|have)(?:n['’]?t| not)? (?:it|he|she|they|you|i|that))\s*\?\s*$",
    re.IGNORECASE,
)
_NEUTRAL_NOT = (
    *("not only", "not just", "no doubt", "no problem", "no worries", "not to mention", "no need to worry"),
    *("dont worry", "not worry", "dont hesitate", "not hesitate", "dont forget", "not forget", "never forget"),
)


def clauses(text: str) -> list[str]:
    """The clauses, none blank."""
    return [clause for clause in _END.split(text) if clause and clause.strip()]


def without_questions(text: str) -> str:
    """The clauses that ask nothing back; a tag ("it is red, right?") is no question."""
    return "\n".join(clause for clause in clauses(text) if not clause.rstrip().endswith("?") or _TAG.search(clause))


def is_negated(words: list[str], start: int, end: int) -> bool:
    """Whether ``words[start:end]`` of a clause's tokens (see `normalise`) stand under a negation."""
    before = words[max(0, start - WINDOW) : start]
    if any(word in _BEFORE and not _neutral(before, place) for place, word in enumerate(before)):
        return True
    behind = words[end : end + WINDOW]
    return any(word in _GONE or _denies(behind, place) for place, word in enumerate(behind))


def says_gone(text: str) -> bool:
    """Whether the text says of something that it was deleted, outside of a negation ("it is not deleted")."""
    for clause in clauses(text):
        words = tokens(clause)
        for place, word in enumerate(words):
            if word in _ERASED and not any(one in _BEFORE for one in words[max(0, place - WINDOW) : place]):
                return True
    return False


def _denies(words: list[str], place: int) -> bool:
    """Whether a verb and its negation stand here: "is not", "was never"."""
    return words[place] in _VERBS and words[place + 1 : place + 2] in (["no"], ["not"], ["never"])


def _neutral(words: list[str], place: int) -> bool:
    """Whether the negation here only looks like one: "not only", "no doubt"."""
    following = " ".join(words[place : place + 3])
    return following.startswith(_NEUTRAL_NOT)

"""English words that ask or join and never name what is sought.

BM25 weighs words by their rarity alone, and in a conversation "did", "when" and "what" are rare: they pull a question
towards other questions. Content words ("going", "want", "new") are not here, however common.
"""

from __future__ import annotations

_QUESTIONS = "what when where which who whom whose why how"
_AUXILIARIES = (
    "do does did is are was were be been being am have has had having can could will would shall should may might must"
)
_ARTICLES_AND_POINTERS = "a an the this that these those there here"
_PRONOUNS = "i you he she it we they me him her us them my your his its our their"
_PREPOSITIONS_AND_CONJUNCTIONS = "of to in on at for with from by about as into and or but if than then so no not"
_CLITICS = "s t d m ll re ve"

ENGLISH: frozenset[str] = frozenset(
    " ".join(
        (_QUESTIONS, _AUXILIARIES, _ARTICLES_AND_POINTERS, _PRONOUNS, _PREPOSITIONS_AND_CONJUNCTIONS, _CLITICS)
    ).split()
)

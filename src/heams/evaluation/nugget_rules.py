"""How far an answer meets one item of a rubric, without a model: the share of the item's words that it says.

A stand-in for a judge, and a proxy: it knows words, not meanings. An item whose words are all there may still be wrong,
and a paraphrase of it is not seen.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from heta_framework.common.stores.text_index.stop_words import ENGLISH
from heta_framework.common.text.anchors import affirms, anchor_tokens, holds
from heta_framework.common.text.calendar_dates import iso_dates
from heta_framework.common.text.clauses import clauses
from heta_framework.common.text.gathered import told_tokens
from heta_framework.common.text.normalise import tokens
from heta_framework.common.text.refusal import answering_part

MET_FROM: Final = 0.8
"""The share of an item's words from which it counts as met in full."""
PARTLY_FROM: Final = 0.5
"""The share from which it counts as met in part, which is worth 0.5."""

_LONGEST_VALUE = 3  # words
_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_LEAD_IN = re.compile(r"\s*(?:the\s+)?(?:llm(?:'s)?\s+)?response\s+should\s+(?:\w+\s+){0,2}?\w+\s*:\s*", re.IGNORECASE)


def without_lead_in(item: str) -> str:
    """An item without its lead-in, such as "LLM response should state:"; as it is where nothing would be left."""
    return _LEAD_IN.sub("", item, count=1).strip() or item


def item_score(answer: str, item: str) -> float:
    """1 (met), 0.5 (met in part) or 0, by the share of the item's words that the answer says.

    Numbers and dates are what an item is about: without all of them it is not met in full, and without any not at all.
    What declines to answer does not count, and neither does a short item (a value, a name) that the answer only denies.
    """
    said = answering_part(answer)
    wanted = without_lead_in(item)
    numbers = {word for word in _content(wanted) if any(character.isdecimal() for character in word)}
    found = numbers & _spoken(said)
    if (numbers and not found) or _is_denied(said, wanted):
        return 0.0
    share = said_share(said, wanted)
    if share >= MET_FROM and found == numbers:
        return 1.0
    return 0.5 if share >= PARTLY_FROM else 0.0


def said_share(text: str, item: str) -> float:
    """The share (0 to 1) of the different words of ``item`` that stand in ``text``; 0 for an item without words.

    Words that only join sentences do not count, unless the item has no others.
    """
    wanted = _content(item)
    return len(wanted & _spoken(text)) / len(wanted) if wanted else 0.0


def rubric_mean(scores: Sequence[float]) -> float:
    """The score of a rubric: the mean over its items.

    Raises:
        ValueError: there is no item.
    """
    if not scores:
        raise ValueError("a rubric needs at least one item")
    return sum(scores) / len(scores)


def _is_denied(text: str, item: str) -> bool:
    """Whether the text holds a short item under negations alone; longer ones may bring their own ("she never came")."""
    short = len(anchor_tokens(item)) <= _LONGEST_VALUE and len(clauses(item)) == 1
    return short and holds(text, item) and not affirms(text, item)


def _content(item: str) -> frozenset[str]:
    words = _words(item)
    return words - ENGLISH or words


@lru_cache(maxsize=512)
def _words(text: str) -> frozenset[str]:
    """The different words, number words as numbers; a full date is one word, whose year alone does not make it."""
    return frozenset(told_tokens(_DATE.sub(r"\1\2\3", iso_dates(text))))


@lru_cache(maxsize=512)
def _spoken(text: str) -> frozenset[str]:
    """The words that an answer says: of a full date also its parts, as an item may leave out the year."""
    return _words(text) | frozenset(tokens(text))

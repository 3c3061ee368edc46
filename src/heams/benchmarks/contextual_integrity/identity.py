"""Attributes that only say who somebody is: name, address, sex, age. The official score never counts them as private.

The official script looks for these words anywhere in an attribute's key, so that ``mortgage_balance`` (age),
``health_coverage`` (age) and ``sexual_orientation`` (sex) vanish with them. Whole words are the default here.
"""

import re

WORDS = frozenset(("name", "address", "sex", "age"))

_WORD = re.compile(r"[^\W_]+")


def is_identity(attribute: str, *, anywhere: bool = False) -> bool:
    """Whether one of the four words is a word of the key; with ``anywhere``, a part of it (the official rule)."""
    key = attribute.lower()
    return any(word in key for word in WORDS) if anywhere else not WORDS.isdisjoint(_WORD.findall(key))


def only_within_a_word(attribute: str) -> bool:
    """Whether the two rules part here: the key holds one of the words only inside of longer ones."""
    return is_identity(attribute, anywhere=True) and not is_identity(attribute)

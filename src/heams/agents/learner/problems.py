"""What two problems have in common: their words, apart from the numbers in them."""

import re
from collections import Counter

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.])\d+(?!\.?\w)")


def numbers_in(problem: str) -> tuple[int, ...]:
    """The whole numbers of a problem, in their order."""
    return tuple(int(found.replace(",", "")) for found in _NUMBER.findall(problem))


def frame(problem: str) -> str:
    """The problem without its numbers: alike for problems that differ in nothing else."""
    return _NUMBER.sub("#", problem).casefold()


def likeness(one: str, other: str) -> float:
    """The share of words that two frames have in common (Dice's coefficient), 0 to 1."""
    first, second = (Counter(re.findall(r"\w+|#", text)) for text in (one, other))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0

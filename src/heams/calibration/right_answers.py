"""Answers that are right for certain: the gold itself, and the same fact in other words, order or format."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from heams.calibration.facts import FactKind, elements, kind_of, other_spelling
from heams.calibration.questions import GoldQuestion

_SENTENCES = (
    "From what I remember, the answer is: {gold}.",
    "That was mentioned once. It is this: {gold}.",
    "I looked it up in our conversations; it says {gold}.",
    "{gold} - that is what was said about it.",
)


class Answer(NamedTuple):
    """An answer and the kind of case that it makes."""

    kind: str
    text: str


def right_answers(question: GoldQuestion, rng: Random) -> Iterator[Answer]:
    """The right answers that can be made for a question, each kind at most once."""
    gold = question.gold
    yield Answer("gold", gold)
    yield Answer("in_a_sentence", rng.choice(_SENTENCES).format(gold=gold.strip().rstrip(".")))
    if kind_of(gold) is FactKind.LIST:
        parts = elements(gold)
        yield Answer("reordered", ", ".join([*parts[1:], parts[0]]))
    spelling = other_spelling(gold)
    if spelling is not None:
        yield Answer("other_format", spelling)

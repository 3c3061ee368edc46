"""Answers that are amounts: how long, how often, how many, how much."""

from __future__ import annotations

import re
from collections.abc import Sequence

from heams.agents.extraction import numbers
from heams.agents.extraction.question import Kind, Question
from heams.agents.extraction.ranking import Evidence

_TRIED = 6  # sentences
_REACH = 3  # words from a number to the noun that it counts
_ONE_MORE = 0.75  # of the best score: another item that tells of the same kind of event

_PATTERNS: dict[Kind, tuple[re.Pattern[str], ...]] = {
    Kind.HOW_LONG: (numbers.DURATION, numbers.SINCE),
    Kind.HOW_OFTEN: (numbers.FREQUENCY,),
    Kind.HOW_MUCH: (numbers.MONEY,),
}


def amount(question: Question, evidence: Sequence[Evidence]) -> str | None:
    """The amount that the best sentences name; None when they name none.

    What "how many" counts and no sentence numbers is counted: as many as there are items that fit well.
    """
    best = evidence[:_TRIED]
    if question.kind is Kind.HOW_MANY:
        number = _number(question, best)
        return number if number or not question.plural else _counted(evidence)
    patterns = _PATTERNS[question.kind]
    found = (pattern.search(one.sentence.text) for one in best for pattern in patterns)
    return next((match.group() for match in found if match), None)


def _number(question: Question, evidence: Sequence[Evidence]) -> str | None:
    for one in evidence:
        words = one.sentence.words
        for place, candidate in enumerate(words):
            counted = {noun.stem for noun in words[place + 1 : place + 1 + _REACH]}
            if numbers.is_number(candidate.lower) and not (question.focus and counted.isdisjoint(question.focus)):
                return candidate.lower
    return None


def _counted(evidence: Sequence[Evidence]) -> str:
    good = {one.place for one in evidence if one.score >= _ONE_MORE * evidence[0].score}
    return numbers.spelled(len(good))

"""Answers to "when": the time that the best item names, or else the day on which it was said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from heams.agents.extraction import numbers, periods
from heams.agents.extraction.dates import Mention, mentions
from heams.agents.extraction.periods import Period
from heams.agents.extraction.question import Question
from heams.agents.extraction.ranking import Evidence

_NAMES_A_TIME = 0.2  # of the score: what a sentence gains that says when
_GOING_ON = re.compile(
    rf"\bfor (?:about |around |nearly |almost |over |the (?:past|last) )?(?P<count>{numbers.QUANTITY})"
    r" (?P<unit>day|week|month|year)s?\b",
    re.IGNORECASE,
)


def time_of(question: Question, evidence: Sequence[Evidence]) -> str | None:
    """The time named nearest to what was asked about; None when neither text nor item knows one."""
    best = _best(evidence)
    same_item = [one for one in evidence if one.place == best.place]
    if question.unit == "time":
        clock = next((match for one in same_item if (match := numbers.CLOCK.search(one.sentence.text))), None)
        return clock.group() if clock else None
    named = next((time for one in same_item for time in _named(question, one)), None)
    if named is not None and named.period is None:
        return named.words
    said = periods.day_period(best.day) if best.day else None
    period = named.period if named is not None else _start(same_item) or said
    return _in_unit(period, question.unit) if period is not None else None


def _best(evidence: Sequence[Evidence]) -> Evidence:
    """The best sentence, where one that names a time is preferred among those that fit about as well."""
    good = [one for one in evidence if one.score >= evidence[0].score - _NAMES_A_TIME]
    return max(good, key=lambda one: one.score + _NAMES_A_TIME * bool(mentions(one.sentence.text, one.day)))


def _named(question: Question, evidence: Evidence) -> Iterator[Mention]:
    """The times in a sentence, those near the question's words first."""
    sentence = evidence.sentence
    asked = [
        start
        for one, start in zip(sentence.words, sentence.starts, strict=True)
        if one.content and one.stem in question.terms
    ]
    times = mentions(sentence.text, evidence.day)
    yield from sorted(times, key=lambda time: min((abs(time.start - start) for start in asked), default=0))


def _start(same_item: Sequence[Evidence]) -> Period | None:
    """When something began that has gone on "for four months"."""
    for evidence in same_item:
        lasting = _GOING_ON.search(evidence.sentence.text)
        number = numbers.value_of(lasting["count"]) if lasting else None
        if lasting and number and evidence.day:
            return periods.ago(evidence.day, number, lasting["unit"].lower())
    return None


def _in_unit(period: Period, unit: str | None) -> str:
    if unit == "year":
        return str(period.first.year)
    if unit == "month":
        return periods.month_name(period.first)
    return period.name

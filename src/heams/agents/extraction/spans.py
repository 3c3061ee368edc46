"""The best short span of a sentence as an answer to an open question.

A sentence is cut into runs at punctuation, clause words, subjects, helping verbs, times and the words of the question
itself. A run is good when it follows what the question named (what stands after a matched verb is usually its object),
brings new content, and looks like what the question asks for: a title in quotes, a name, a place, a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from heams.agents.extraction import vocabulary
from heams.agents.extraction.dates import mentions
from heams.agents.extraction.names import named, quoted
from heams.agents.extraction.question import Kind, Question
from heams.agents.extraction.ranking import Evidence

# Weights, beside the evidence's score times _FIT. Set by hand and rounded, with LoCoMo in view; the optimum is flat.
_FIT = 2.0
_NEW_WORD, _FEW, _MANY = 0.1, 4, 8
_LIGHT_WORD, _LIGHT_COUNT = 0.03, 2
_AFTER_MATCH = 0.25
_MATCH_IN_CLAUSE, _MATCHES = 0.05, 3
_BEFORE_FOCUS = 0.3
_QUOTED, _QUOTED_TITLE = 0.5, 0.7
_NAME, _PLACE_NAME, _PERSON_NAME, _NAME_ALONE = 0.2, 0.3, 0.4, 0.7
_KIN, _AFTER_PLACE_WORD, _AFTER_REASON_WORD = 0.3, 0.2, 0.4

_BREAK = re.compile(r"[,;:()\[\]\"“”«»!?…—–]|\s-|-\s|\.")


class Span(NamedTuple):
    """A candidate answer. ``stems`` are those of its content words."""

    score: float
    text: str
    stems: frozenset[str]


def best_span(question: Question, evidence: Evidence, longest: int) -> Span | None:
    """The best span of one sentence, of at most ``longest`` words; None when the sentence says nothing new."""
    return max(_Reader(question, evidence, longest).spans(), key=lambda span: span.score, default=None)


class _Reader:
    """One sentence read for one question. Places are indexes of words; ranges of places include both ends."""

    def __init__(self, question: Question, evidence: Evidence, longest: int) -> None:
        self._question = question
        self._sentence = sentence = evidence.sentence
        self._words = sentence.words
        self._base = _FIT * evidence.score
        self._longest = longest
        self._enough = _MANY if question.kind in (Kind.HOW, Kind.WHY) else _FEW
        self._matched = [one.content and one.stem in question.terms for one in sentence.words]
        times = mentions(sentence.text, evidence.day)
        self._timed = {
            place for time in times for place, start in enumerate(sentence.starts) if time.start <= start < time.end
        }
        self._names = list(named(sentence))
        self._capitals = {place for first, last in self._names for place in range(first, last + 1)}

    def spans(self) -> Iterator[Span]:
        """All candidates."""
        yield from self._titles()
        if self._question.kind in (Kind.WHO, Kind.WHERE):
            yield from self._names_alone()
        for begin, end in self._clauses():
            matches = _MATCH_IN_CLAUSE * min(sum(self._matched[begin : end + 1]), _MATCHES)
            for first, last in self._runs(begin, end):
                span = self._trimmed(first, last)
                if span:
                    yield self._run(
                        *span, end=end, after_match=first > begin and self._matched[first - 1], bonus=matches
                    )

    def _titles(self) -> Iterator[Span]:
        wanted = _QUOTED_TITLE if self._question.focus & vocabulary.TITLED else _QUOTED
        for first, last in quoted(self._sentence):
            if not all(self._matched[first : last + 1]):
                yield self._make(first, min(last, first + self._longest - 1), wanted)

    def _names_alone(self) -> Iterator[Span]:
        for first, last in self._names:
            if not any(self._is_known(place) for place in range(first, last + 1)):
                yield self._make(first, min(last, first + self._longest - 1), _NAME_ALONE + self._looks(first, last))

    def _clauses(self) -> Iterator[tuple[int, int]]:
        """Ranges between punctuation and clause words."""
        begin = 0
        text, starts, ends = self._sentence.text, self._sentence.starts, self._sentence.ends
        for place, one in enumerate(self._words):
            gap = text[ends[place - 1] : starts[place]] if place else " "
            joins = one.lower in vocabulary.CLAUSE
            if joins or (gap != " " and _BREAK.search(gap)):
                if place > begin:
                    yield begin, place - 1
                begin = place + joins
        if begin < len(self._words):
            yield begin, len(self._words) - 1

    def _runs(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """Ranges without words that are known already or only carry the sentence."""
        start = begin
        for place in range(begin, end + 2):
            if place > end or self._is_known(place):
                if start < place:
                    yield start, place - 1
                start = place + 1

    def _is_known(self, place: int) -> bool:
        one = self._words[place]
        return (
            self._matched[place]
            or place in self._timed
            or one.bare in vocabulary.SUBJECTS
            or one.lower.removesuffix("n't") in vocabulary.AUXILIARIES
        )

    def _trimmed(self, first: int, last: int) -> tuple[int, int] | None:
        """Without light and function words in front, function words at the end, and what is too long."""
        content = [place for place in range(first, last + 1) if self._words[place].content]
        if not content:
            return None
        near = next((place for place in content if not self._words[place].light), content[-1])
        return near, [place for place in content if near <= place < near + self._longest][-1]

    def _run(self, first: int, last: int, *, end: int, after_match: bool, bonus: float) -> Span:
        bonus += self._content(first, last) + self._looks(first, last) + _AFTER_MATCH * after_match
        if last < end and self._matched[last + 1] and self._words[last + 1].stem in self._question.focus:
            last, bonus = last + 1, bonus + _BEFORE_FOCUS  # "dark beer" for "what kind of beer"
        return self._make(first, last, bonus)

    def _content(self, first: int, last: int) -> float:
        content = [one for one in self._words[first : last + 1] if one.content]
        light = sum(one.light for one in content)
        return _NEW_WORD * min(len(content) - light, self._enough) + _LIGHT_WORD * min(light, _LIGHT_COUNT)

    def _looks(self, first: int, last: int) -> float:
        """What makes a span look like the kind of answer that is wanted."""
        name = not self._capitals.isdisjoint(range(first, last + 1))
        match self._question.kind:
            case Kind.WHERE:
                return _PLACE_NAME * name + _AFTER_PLACE_WORD * self._follows(first, vocabulary.BEFORE_PLACES)
            case Kind.WHO:
                kin = any(one.lower in vocabulary.KIN for one in self._words[first : last + 1])
                return _PERSON_NAME * name + _KIN * kin
            case Kind.WHY:
                return _AFTER_REASON_WORD * self._follows(first, vocabulary.BEFORE_REASONS)
            case _:
                return _NAME * name

    def _follows(self, first: int, leading: frozenset[str]) -> bool:
        """Whether one of the words stands right before a place, an article left out."""
        before = [one.lower for one in self._words[max(0, first - 2) : first] if one.lower not in vocabulary.ARTICLES]
        return bool(before) and before[-1] in leading

    def _make(self, first: int, last: int, bonus: float) -> Span:
        stems = frozenset(one.stem for one in self._words[first : last + 1] if one.content)
        return Span(self._base + bonus, self._sentence.cut(first, last), stems)

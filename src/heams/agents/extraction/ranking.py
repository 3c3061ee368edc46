"""Which recalled sentences speak of what the question asks: term overlap weighed by rarity, speaker, date, rank."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence, Set
from datetime import date
from typing import NamedTuple

from heams.agents.extraction.passages import Passage, Sentence, analyse
from heams.agents.extraction.question import Question
from heams.agents.extraction.words import word
from heams.memory.base import RecalledItem

_READ_CLOSELY = 12  # items whose sentences are compared one by one
_SENTENCE_SHARE = 0.4  # of a sentence's score; the rest is the item's
_SPEAKER = 1.5  # what "said by the one whom the question is about" weighs; words weigh about 1 to 6, by rarity
_OTHER_SPEAKER = 0.5  # what is left of the words' weight when somebody else said them
_OF_THAT_DATE = 0.3
_LATER_RANK = 0.02
_QUESTION = 0.5  # who asks does not tell
_ASIDE = 0.8
_REPLY = 0.5  # of the weight of a question's words, for the turn after it


class Evidence(NamedTuple):
    """A sentence, the item where it stands, and how well it fits: 0 not at all, 1 with every word of the question."""

    score: float
    sentence: Sentence
    passage: Passage
    place: int
    day: date | None


class Ranking(NamedTuple):
    """Sentences, best first. ``attribution``: how well the turns of the person asked about fit, in relation to the best
    of anybody else's; infinite where the question names no speaker or nobody else's fit at all.
    """

    evidence: Sequence[Evidence]
    attribution: float


def rank(question: Question, items: Sequence[RecalledItem], *, ranked: bool, asker: str | None = None) -> Ranking:
    """Rank the sentences of the best items.

    ``ranked`` says that the order of ``items`` means relevance; otherwise it is taken as the order in which things were
    said, so that a turn answers the question before it. ``asker`` is who says "I" in the question.
    """
    recall = _Recall(question, items, asker)
    scores = recall.scores_by_rank() if ranked else recall.scores_in_conversation()
    best = heapq.nlargest(_READ_CLOSELY, range(len(items)), key=scores.__getitem__)
    found = [evidence for place in best for evidence in recall.sentences(place, scores[place])]
    return Ranking(sorted(found, key=lambda evidence: -evidence.score), recall.attribution())


class _Recall:
    """The recalled items in the light of one question."""

    def __init__(self, question: Question, items: Sequence[RecalledItem], asker: str | None) -> None:
        self._items = items
        self._periods = question.periods
        self._passages = [analyse(item.text) for item in items]
        speakers = {item.speaker for item in items if item.speaker}
        named = _named_in(question, speakers)
        self._terms = question.terms - {word(part).stem for name in named for part in name.lower().split()}
        self._hits = [self._terms & passage.stems for passage in self._passages]
        self._rarity = _rarity(self._terms, self._hits)
        # of two people named either may tell: only one alone is preferred
        self._named = next(iter(named)) if len(named) == 1 else None
        self._about = self._named or (asker if asker in speakers and question.of_asker and not named else None)
        self._whole = (math.fsum(self._rarity.values()) + (_SPEAKER if self._about else 0.0)) or 1.0

    def scores_by_rank(self) -> list[float]:
        """How well each item fits, its rank counted in."""
        return [self._score(place, hit) / (1 + _LATER_RANK * place) for place, hit in enumerate(self._hits)]

    def scores_in_conversation(self) -> list[float]:
        """How well each item fits, where a turn also answers the question asked just before it."""
        scores = [self._score(place, hit) for place, hit in enumerate(self._hits)]
        for place in range(1, len(scores)):
            asked = self._hits[place - 1] - self._hits[place]
            if asked and self._is_reply(place):
                scores[place] += _REPLY * self._share(asked)
        return scores

    def sentences(self, place: int, score: float) -> Iterator[Evidence]:
        """The sentences of one item with their own scores."""
        passage, at = self._passages[place], self._items[place].at
        for sentence in passage.sentences:
            own = self._share(self._terms & sentence.stems)
            fit = (1 - _SENTENCE_SHARE) * score + _SENTENCE_SHARE * own
            fit *= (_QUESTION if sentence.asks else 1.0) * (_ASIDE if sentence.aside else 1.0)
            yield Evidence(fit, sentence, passage, place, at.date() if at else None)

    def attribution(self) -> float:
        """How well the named person's items fit, in relation to everybody else's."""
        if self._named is None:
            return math.inf
        own = others = 0.0
        for item, hit, passage in zip(self._items, self._hits, self._passages, strict=True):
            if item.speaker in (self._named, None):
                own = max(own, self._share(hit))
            elif hit:
                others = max(others, self._share(hit & passage.told))
        return own / others if others else math.inf

    def _score(self, place: int, hit: Set[str]) -> float:
        item = self._items[place]
        score = self._share(hit)
        if self._about is not None and item.speaker:
            score = score + _SPEAKER / self._whole if item.speaker == self._about else score * _OTHER_SPEAKER
        if self._periods and item.at is not None:
            day = item.at.date()
            score += _OF_THAT_DATE * any(period.first <= day <= period.last for period in self._periods)
        return score

    def _share(self, stems: Set[str]) -> float:
        # fsum rounds once, so the order in which a set yields its members does not show
        return math.fsum([self._rarity[stem] for stem in stems]) / self._whole if stems else 0.0

    def _is_reply(self, place: int) -> bool:
        before = self._passages[place - 1].sentences
        spoken = [sentence for sentence in before if not sentence.aside]
        return bool(spoken) and spoken[-1].asks and self._items[place].speaker != self._items[place - 1].speaker


def _named_in(question: Question, speakers: Set[str]) -> set[str]:
    return {speaker for speaker in speakers if question.names.intersection(speaker.lower().split())}


def _rarity(terms: Set[str], hits: Sequence[Set[str]]) -> dict[str, float]:
    """Inverse document frequency of the terms within the recalled set."""
    count = dict.fromkeys(terms, 0)
    for hit in hits:
        for term in hit:
            count[term] += 1
    return {term: math.log(1 + (len(hits) + 1) / (seen + 0.5)) for term, seen in count.items()}

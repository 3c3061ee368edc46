"""Wrong answers that look right: the same kind of fact from the same conversation, and it is another one."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random

from heams.calibration.facts import (
    FactKind,
    another_day,
    another_number,
    elements,
    find_date,
    in_words,
    is_year,
    kind_of,
    number_in,
    opposite_side,
)
from heams.calibration.questions import GoldQuestion

_FARTHEST_DAYS = 40
_NEAREST_DAYS = 9
_FARTHEST_NUMBER = 9


class NearMisses:
    """Makes wrong answers from the gold of other questions about the same conversation."""

    def __init__(self, questions: Sequence[GoldQuestion]) -> None:
        self._lenders: dict[tuple[str, FactKind], list[GoldQuestion]] = {}
        for question in questions:
            self._lenders.setdefault((question.group, kind_of(question.gold)), []).append(question)
        self._makers: Mapping[FactKind, Callable[[GoldQuestion, Random], str | None]] = {
            FactKind.POLAR: lambda question, _: opposite_side(question.gold),
            FactKind.DATE: self._date,
            FactKind.NUMBER: self._number,
            FactKind.LIST: self._list,
        }

    def near_miss(self, question: GoldQuestion, rng: Random) -> str | None:
        """A wrong answer of the gold's kind; None where the conversation lends none."""
        made = self._makers.get(kind_of(question.gold), self._other)(question, rng)
        return made if made is not None and differs(made, question) else None

    def _date(self, question: GoldQuestion, rng: Random) -> str | None:
        found = find_date(question.gold)
        if found is None:
            return None
        days = {each.day for gold in self._of(question, FactKind.DATE) if (each := find_date(gold)) is not None}
        others = sorted(day for day in days if abs((day - found.day).days) >= _NEAREST_DAYS)
        shift = rng.choice((-1, 1)) * rng.randint(_NEAREST_DAYS, _FARTHEST_DAYS)
        other = rng.choice(others) if others else another_day(found.day, shift)
        return question.gold[: found.start] + in_words(other) + question.gold[found.end :]

    def _number(self, question: GoldQuestion, rng: Random) -> str | None:
        found = number_in(question.gold)
        if found is None:
            return None
        others = [each.group() for gold in self._of(question, FactKind.NUMBER) if (each := number_in(gold))]
        fitting = sorted({other for other in others if _same_form(other, found.group())})
        other = rng.choice(fitting) if fitting else another_number(found.group(), rng.randint(2, _FARTHEST_NUMBER))
        return question.gold[: found.start()] + other + question.gold[found.end() :]

    def _list(self, question: GoldQuestion, rng: Random) -> str | None:
        mine = elements(question.gold)
        known = {folded(element) for element in mine}
        lent = [element for gold in self._of(question, FactKind.LIST) for element in elements(gold)]
        others = sorted({element for element in lent if folded(element) not in known})
        if not others:
            return None
        place = rng.randrange(len(mine))
        return ", ".join([*mine[:place], rng.choice(others), *mine[place + 1 :]])

    def _other(self, question: GoldQuestion, rng: Random) -> str | None:
        others = sorted(gold for gold in set(self._of(question, kind_of(question.gold))) if differs(gold, question))
        return rng.choice(others) if others else None

    def _of(self, question: GoldQuestion, kind: FactKind) -> list[str]:
        """Golds of that kind about the same conversation, from questions about something else."""
        lenders = self._lenders.get((question.group, kind), [])
        return [each.gold for each in lenders if each.subject_words.isdisjoint(question.subject_words)]


def differs(answer: str, question: GoldQuestion) -> bool:
    """Whether ``answer`` is another one than each expected answer: neither holds all words of the other."""
    mine = set(folded(answer).split())
    for gold in question.expected:
        theirs = set(folded(gold).split())
        if folded(answer) == folded(gold) or mine >= theirs or mine < theirs:
            return False
    return bool(mine)


@lru_cache(maxsize=20_000)
def folded(text: str) -> str:
    """``text`` as it is compared: words in lower case, without punctuation and articles."""
    from heta_framework.common.text.normalise import normalise

    return normalise(text)


def _same_form(one: str, other: str) -> bool:
    """Whether two numbers can stand for each other (words, years, decimals, thousands are alike), and they differ."""
    if one.lower() == other.lower():
        return False
    return all(form(one) == form(other) for form in (str.isalpha, is_year, _has_point, _has_comma))


def _has_point(number: str) -> bool:
    return "." in number


def _has_comma(number: str) -> bool:
    return "," in number

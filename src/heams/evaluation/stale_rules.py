"""Does an answer go by the state that holds? Rules by phrases, which stand in for STALE's judge.

What an answer *asserts* is what it says outside of a negation and outside of the past: "you cycle to work" asserts it,
"you no longer cycle", "you used to cycle" and "before the accident you cycled" do not, and "you never stopped cycling"
does. Rules for English, by words near the phrase in its clause; a paraphrase, or a past that only the tense of a verb
shows ("you cycled"), is not seen.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from heta_framework.common.text.anchors import anchor_tokens, held
from heta_framework.common.text.calendar_dates import iso_dates
from heta_framework.common.text.clauses import WINDOW, clauses, is_negated
from heta_framework.common.text.refusal import answering_part
from heta_framework.common.text.yes_no import yes_or_no

_Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

_PAST_BEFORE = re.compile(
    r"\b(?:used to|previously|formerly|once|until|was|were|had been|former|previous|stopped|quit|gave up|given up|ended"
    r"|originally|rather than|instead of|in place of|before (?:your|the|you)|replaced|replaces|left|sold|away"
    r"|(?<!have )(?<!has )(?<!ve )(?:lived|worked|stayed|studied) (?:in|at|for|near|with)"
    r"|(?:moved|switched|changed|swapped) (?:\w+ ){0,3}from)\b"
)
_NO_END = re.compile(
    r"\b(?:never|not|havent|hasnt|didnt|nothing(?: \w+){1,3}|nobody(?: \w+){1,3}) (?:\w+ )?"
    r"(?:left|leave|moved|stopped|stop|quit|gave up|given up|ended|sold|switched|changed|swapped)\b"
)
_PAST_BEHIND = re.compile(
    r"\b(?:previously|formerly|anymore|any more|until|in the past|(?:is|was) over|ended|before(?= your| the|$))\b"
)
_DOUBT = re.compile(
    r"\b(?:no longer(?! than)|anymore|not any more|out of date|outdated"
    r"|(?:may|might|could) (?:well )?(?:have (?:changed|ended|moved)|be different|not (?:be|hold|apply))"
    r"|(?:is|does) (?:this|that|it) still|(?:not sure|unsure|not certain|uncertain) (?:if|whether|that)"
    r"|(?:please )?(?:confirm|double[- ]check|verify) (?:if|whether|that))\b",
    re.IGNORECASE,
)


class ProbePhrases(BaseModel):
    """What the right answer to a probe says, and what only a wrong one asserts.

    ``must_any``: phrases of the state that holds; one is enough. ``must_not``: phrases of the state that does not.
    ``says``: the right answer where the question can be answered with yes or no.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    must_any: tuple[_Phrase, ...] = Field(min_length=1)
    must_not: tuple[_Phrase, ...] = ()
    says: Literal["yes", "no"] | None = None


class Verdict(NamedTuple):
    """Whether an answer passes, and why in a few words."""

    passed: bool
    reason: str


def judge_changed(answer: str, phrases: ProbePhrases, *, doubt_counts: bool) -> Verdict:
    """Whether an answer goes by the new state: it says one of its phrases and asserts none of the old state's.

    ``doubt_counts``: words that the old state may no longer hold are enough as well.
    """
    said, wrong = _said(answer, phrases), _wrong(answer, phrases)
    if wrong:
        return Verdict(False, f"asserts what no longer holds: {wrong}")
    if said:
        return Verdict(True, f"says {said}")
    doubt = _doubt(answer) if doubt_counts else None
    return Verdict(True, f"doubts the old state: {doubt!r}") if doubt else Verdict(False, "says nothing of the change")


def judge_held(answer: str, phrases: ProbePhrases) -> Verdict:
    """Whether an answer goes by the old state, which holds: it asserts it, without doubt and without a change."""
    wrong, doubt = _wrong(answer, phrases), _doubt(answer)
    if wrong:
        return Verdict(False, f"asserts a change that there was not: {wrong}")
    if doubt:
        return Verdict(False, f"doubts what holds: {doubt!r}")
    found = _said_yes_or_no(answer, phrases) or _quoted(_asserted(answering_part(answer), phrases.must_any))
    return Verdict(True, f"says {found}") if found else Verdict(False, "says nothing of what holds")


def asserts(text: str, phrase: str) -> bool:
    """Whether a clause of the text holds the phrase outside of a negation and of the past."""
    sought = anchor_tokens(phrase)
    return any(_asserted_in(anchor_tokens(clause), sought) for clause in clauses(iso_dates(text)))


def _asserted(text: str, phrases: Iterable[str]) -> list[str]:
    return [phrase for phrase in phrases if asserts(text, phrase)]


def _asserted_in(words: list[str], sought: Sequence[str]) -> bool:
    width = len(sought)
    starts = (place for place in range(len(words) - width + 1) if width and words[place : place + width] == [*sought])
    return any(
        _has_not_ended(words, place)
        or (not is_negated(words, place, place + width) and not _is_past(words, place, width))
        for place in starts
    )


def _has_not_ended(words: Sequence[str], start: int) -> bool:
    """Whether an end is denied before the phrase: "you never left", "nothing says that you moved from"."""
    return _NO_END.search(" ".join(words[max(0, start - WINDOW) : start])) is not None


def _is_past(words: Sequence[str], start: int, width: int) -> bool:
    before, behind = words[max(0, start - WINDOW) : start], words[start + width : start + width + WINDOW]
    return bool(_PAST_BEFORE.search(" ".join(before)) or _PAST_BEHIND.search(" ".join(behind)))


def _said(answer: str, phrases: ProbePhrases) -> str | None:
    """The first of the right phrases that stand in what the answer says, whether negated or not, or the right word."""
    return _said_yes_or_no(answer, phrases) or _quoted(held(answering_part(answer), phrases.must_any))


def _said_yes_or_no(answer: str, phrases: ProbePhrases) -> str | None:
    return phrases.says if phrases.says and _word(answer) == phrases.says else None


def _wrong(answer: str, phrases: ProbePhrases) -> str | None:
    word = _word(answer)
    if phrases.says and word and word != phrases.says:
        return word
    return _quoted(_asserted(answer, phrases.must_not))


def _word(answer: str) -> str | None:
    """``yes`` or ``no``, where what the answer says begins with one."""
    confirms = yes_or_no(answering_part(answer))
    return None if confirms is None else ("yes" if confirms else "no")


def _doubt(answer: str) -> str | None:
    found = _DOUBT.search(answer)
    return found.group() if found else None


def _quoted(found: Sequence[str]) -> str | None:
    return repr(found[0]) if found else None

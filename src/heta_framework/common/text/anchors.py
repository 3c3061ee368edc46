"""Does a text hold an anchor: a value, a name, a phrase that gives a fact away?

Text and anchor are compared token by token (see `normalise`), so case, Unicode form, zero-width characters, spacing and
punctuation do not hide one, and "17" is not found in "417". Numbers are equal in any spelling of one value ("$12,300"
is "12300"), dates as well ("5 January 2026" is "2026-01-05"), and a day without a year is found in any year. Accents,
possessives and letters that look alike do not hide one either (see `lookalikes`): "Zoe" is found in "Zoë's". An anchor
of which normalisation leaves nothing is never found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heta_framework.common.text.calendar_dates import iso_dates, month_days
from heta_framework.common.text.clauses import clauses, is_negated
from heta_framework.common.text.lookalikes import plain_letters
from heta_framework.common.text.normalise import tokens


def anchor_tokens(text: str) -> list[str]:
    """The tokens by which texts and anchors are compared."""
    return [_number(token) for token in tokens(iso_dates(text))]


def holds(text: str, anchor: str) -> bool:
    """Whether the anchor stands in the text, affirmed or not."""
    return any(
        next(_starts(anchor_tokens(said), anchor_tokens(sought)), None) is not None
        for said, sought in _readings(text, anchor)
    )


def affirms(text: str, anchor: str) -> bool:
    """Whether a clause of the text holds the anchor outside of a negation (see `clauses`)."""
    return any(
        _affirmed(anchor_tokens(clause), anchor_tokens(sought))
        for said, sought in _readings(text, anchor)
        for clause in clauses(iso_dates(said))
    )


def held(text: str, anchors: Iterable[str], *, affirmed: bool = False) -> list[str]:
    """Those of the anchors that the text holds, in their order; with ``affirmed``, outside of negations."""
    found = affirms if affirmed else holds
    return [anchor for anchor in anchors if found(text, anchor)]


def _readings(text: str, anchor: str) -> Iterator[tuple[str, str]]:
    """Text and anchor as they are and, where that makes a difference, in plain letters, and with days of any year."""
    yield text, anchor
    plain = plain_letters(text), plain_letters(anchor)
    if plain != (text, anchor):
        yield plain
    if iso_dates(anchor) == anchor and (day := month_days(anchor)) != anchor:
        yield month_days(text), day


def _affirmed(words: list[str], sought: Sequence[str]) -> bool:
    return any(not is_negated(words, place, place + len(sought)) for place in _starts(words, sought))


def _starts(words: Sequence[str], sought: Sequence[str]) -> Iterator[int]:
    if not sought:
        return
    width = len(sought)
    for place in range(len(words) - width + 1):
        if words[place] == sought[0] and list(words[place : place + width]) == list(sought):
            yield place


def _number(token: str) -> str:
    """A number without the closing zeros of its decimals, so that values compare.

    Codes of digits keep their zeros: "0417" is not "417", for a door code is no number.
    """
    whole, point, decimals = token.partition(".")
    if point and whole.lstrip("-").isdigit() and decimals.isdigit():
        kept = decimals.rstrip("0")
        return f"{whole}.{kept}" if kept else whole
    return token

"""Which letters of options a reply names in its prose, and how firmly: "so I'd go with (b)", "not A", "option c".

A letter alone says little in English ("a good idea", "vitamin D helps"), so a mention counts by its form: in brackets,
at the beginning of a line, behind a word that announces a choice, or, for a capital, at the edge of a clause.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

_LETTER = re.compile(r"(?P<open>[(\[{]\s*)?(?<![\w'’&.-])(?P<letter>[A-Za-z])(?![\w'’])(?P<close>\s*[)\]}])?")
_CUE = re.compile(
    r"\b(?:answers?|choices?|options?|letters?|choos(?:e|es|ing)|chose|chosen|pick(?:s|ed|ing)?|select(?:s|ed|ing|ion)?"
    r"|recommend(?:s|ed|ing|ation)?|suggest(?:ion)?|(?:go|going|went) (?:with|for)|opt(?:ing|ed)? for|settle (?:on|for)"
    r"|prefer|verdict|conclusion|therefore|thus|hence|so)\b"
    r"(?:[\s:=\"'>-]+(?:is|are|was|be|would|must|should|the|my|final|best|correct|right|number|option|answer|choice"
    r"|letter|to|with|it|it's|as|therefore|clearly))*[\s:=\"'>\]-]*$",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:options?|answers?|choices?|letters?)[\s:=\"'-]*$", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|without|except|than|instead of|avoid\w*|rejects?|rules? out|ruling out|skip"
    r"|exclud\w+)|n['’]t(?: be)?)"
    r"(?:\s+(?:choose|pick|select|recommend|be|it's|is|the|option|answer|choice|letter|for|with|go))*\s*$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"^\s*(?:,?\s*(?:and|which)\s+)?(?:(?:is|are|was|would be|seems?)\s+)*"
    r"(?:\w+n['’]t|not|wrong|incorrect|bad|out|unsuitable|no good|too|cannot|fails?|breaks?|goes? against"
    r"|violat\w+|contradict\w+|conflict\w+|ignor\w+)\b",
    re.IGNORECASE,
)
_VERB_AFTER = re.compile(
    r"^\s+(?:is|was|would|will|fits?|suits?|matches|seems|best|because|since|as|it is)\b", re.IGNORECASE
)
_SAYS_OF_IT = re.compile(r"^\s+(?:is|was|would|will|has|may|seems?|sounds?|looks?)\b", re.IGNORECASE)
_EDGE_AFTER = re.compile(r"^\s*(?:[.,;:!?\n\"'”’]|—|–|-\s|$)")
_LISTED_AFTER = re.compile(r"^[).:](?=\s|$)|^\s*(?:\n|$)|^\s+[—–-]\s")
_CLAUSE_START = re.compile(r"(?:^|[.!?;:,\n])[\s\"'“‘]*$")
_LINE_START = re.compile(r"(?:^|\n)[\s>#-]*$")
_JOINT = re.compile(
    r"\s*(?:[,/&]|[.;,]?\s*(?:or|and|nor)\b)\s*(?:maybe\s+|also\s+)?(?:option\s+|answer\s+)?", re.IGNORECASE
)
_REACH = 60
"""Characters before and behind a letter that tell how it is meant."""


class Firmness(IntEnum):
    """How a letter is named; the firmest mentions of a reply decide. A bare one counts only beside a firmer one."""

    BARE = 0
    LOOSE = 1
    MARKED = 2
    ANNOUNCED = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """A letter, lower-case, where it stands, and how it is meant."""

    letter: str
    start: int
    end: int
    firmness: Firmness
    denied: bool


def mentions(text: str, letters: Collection[str]) -> list[Mention]:
    """The mentions of ``letters`` (lower-case) in the order of the text; denied ones are among them."""
    matches = [match for match in _LETTER.finditer(text) if match["letter"].lower() in letters]
    opens = sum(_is_listed(match, *_around(match, text)) for match in matches) == 1
    found = [_mention(match, text, opens=opens) for match in matches]
    together = (_alike(group) for group in _groups(found, text))
    return [mention for group in together for mention in group if mention.firmness > Firmness.BARE]


def decided(found: Sequence[Mention], text: str) -> list[str]:
    """The letters that the firmest mentions name: one, several between which the reply does not decide, or none.

    Of several announcements the last counts: "At first I would pick A, but I choose C".
    """
    affirmed = [mention for mention in found if not mention.denied]
    firmest = max((mention.firmness for mention in affirmed), default=None)
    chosen = [mention for mention in affirmed if mention.firmness is firmest]
    if firmest is Firmness.ANNOUNCED:
        chosen = _groups(chosen, text)[-1]
    return list(dict.fromkeys(mention.letter for mention in chosen))


def _groups(found: Sequence[Mention], text: str) -> list[list[Mention]]:
    """Mentions that are listed beside each other ("A or B", "(a), (b) and (c)"), together."""
    groups: list[list[Mention]] = []
    for mention in found:
        if groups and _is_joined(text[groups[-1][-1].end : mention.start], text[mention.end : mention.end + _REACH]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _is_joined(between: str, after: str) -> bool:
    if between.strip() == "," and _VERB_AFTER.match(after):
        return False  # "you avoid (a), (b) is right"
    return _JOINT.fullmatch(between) is not None


def _alike(group: Sequence[Mention]) -> list[Mention]:
    """In "I choose A or B" the B is announced as well, in "neither A, B nor C" all are denied."""
    firmness, denied = max(mention.firmness for mention in group), any(mention.denied for mention in group)
    return [replace(mention, firmness=firmness, denied=denied) for mention in group]


def _mention(match: re.Match[str], text: str, *, opens: bool) -> Mention:
    before, after = _around(match, text)
    denied = _DENIED_BEFORE.search(before) is not None or _DENIED_AFTER.match(after) is not None
    firmness = _firmness(match, before, after, opens=opens)
    return Mention(match["letter"].lower(), match.start(), match.end(), firmness, denied)


def _firmness(match: re.Match[str], before: str, after: str, *, opens: bool) -> Firmness:
    """``opens``: only one letter stands at the beginning of a line, so that the lines do not go through the options."""
    letter, listed = match["letter"], _is_listed(match, before, after)
    if _CUE.search(before) and (_is_bracketed(match) or not _is_article(letter, before, _behind(match, after))):
        return Firmness.ANNOUNCED
    begins = match.start() == len(before) and not before.strip()
    if listed and begins and opens and not _SAYS_OF_IT.match(after):
        return Firmness.ANNOUNCED  # the reply begins with its choice
    if _is_bracketed(match) or listed:
        return Firmness.MARKED
    if not letter.isupper() or letter == "I":
        return Firmness.BARE
    firm = (begins and letter != "A") or _at_edge(letter, before, _behind(match, after))
    return Firmness.LOOSE if firm else Firmness.BARE


def _around(match: re.Match[str], text: str) -> tuple[str, str]:
    return text[max(0, match.start() - _REACH) : match.start()], text[match.end() : match.end() + _REACH]


def _behind(match: re.Match[str], after: str) -> str:
    return (match["close"] or "").strip() + after


def _is_bracketed(match: re.Match[str]) -> bool:
    return bool(match["open"] and match["close"])


def _is_listed(match: re.Match[str], before: str, after: str) -> bool:
    """Whether it stands at the beginning of a line, with a mark behind it: "(b) ...", "B. ...", "b: ..."."""
    if _LINE_START.search(before) is None:
        return False
    return _is_bracketed(match) or _LISTED_AFTER.match(_behind(match, after)) is not None


def _is_article(letter: str, before: str, behind: str) -> bool:
    """Whether "a" or "I" is a word here: "I recommend a walk", but not "option a is better"."""
    return letter in "aiI" and re.match(r"\s+\w", behind) is not None and _NOUN.search(before) is None


def _at_edge(letter: str, before: str, behind: str) -> bool:
    if _VERB_AFTER.match(behind) or _EDGE_AFTER.match(behind):
        return True
    return letter != "A" and _CLAUSE_START.search(before) is not None and not re.match(r"\s+[a-z]", behind)

"""The spans of a sentence that may name a thing: names, acronyms, quotations, quantities, and runs of content words.

The last kind follows RAKE (Rose et al., "Automatic keyword extraction from individual documents", 2010): a phrase is a
run of words without a divider. Capitals count only where a text uses them to tell words apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from heta_framework.kb.graphing.lexical.words import DIVIDERS

_TOKEN = re.compile(
    r"(?P<quote>[\"“«](?P<quoted>[^\"“”«»\n]{2,60})[\"”»])"
    r"|(?P<quantity>[$€£]?\d[\d.,]*\d?\s?(?:%|°[CF]?|(?:[kmcµn]?m|km/h|mph|kg|mg|g|lb|lbs|ft|hz|khz|mhz|ghz|kw|mw|v|ms|psi|kb|mb|gb|tb|million|billion|usd|eur)\b))"
    r"|(?P<year>\b(?:1[5-9]|20)\d\d\b)"
    r"|(?P<word>[^\W\d_][\w]*(?:[-'’.][^\W_][\w]*)*)"
    r"|(?P<number>\d[\d.,]*)"
    r"|(?P<other>[^\s])",
    re.IGNORECASE,
)
_CONNECTORS = frozenset(("of", "de", "von", "van", "la", "le", "du", "the", "for", "and"))
_POSSESSIVE = re.compile(r"['’]s?$")
_ADJECTIVE = re.compile(r"(?:ed|able|ible|ical|mental|ful|less|ous|istic)$")
_VERB = re.compile(r"^[a-z]+(?:[^s]s|ed)$")
_LONGEST_PHRASE = 4
_LONGEST_NAME = 6
_SHORTEST_ADVERB = 5


@dataclass(frozen=True, slots=True)
class Span:
    """A candidate: its words as they stand in the text, and what kind of name they are."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    divides: bool
    named: bool


def spans(sentence: str, common: Set[str] = frozenset()) -> list[Span]:
    """The candidates of a sentence in their order.

    Args:
        common: words, lower-cased, that the text also writes in lower case: a capital at the beginning of a sentence
            names nothing then.
    """
    found: list[Span] = []
    run: list[_Word] = []
    shouting = sentence.isupper()
    for match in _TOKEN.finditer(sentence):
        if match["word"]:
            run.append(_word(match["word"], common, begins=match.start() == 0, shouting=shouting))
            continue
        found.extend(_of_run(run))
        run = []
        if match["quoted"]:
            found.append(Span(match["quoted"].strip(" ,.;"), "quotation"))
        elif match["quantity"] or match["year"]:
            found.append(Span(match[0].strip(), "quantity"))
    found.extend(_of_run(run))
    return found


def _word(text: str, common: Set[str], *, begins: bool, shouting: bool) -> _Word:
    bare = _POSSESSIVE.sub("", text)
    lower = bare.lower()
    divides = lower in DIVIDERS or (lower.endswith("ly") and len(lower) >= _SHORTEST_ADVERB and text[0].islower())
    named = not shouting and bare[:1].isupper() and not (divides and (begins or len(bare) == 1))
    if begins and lower in common:
        named = False
    return _Word(bare, divides or len(bare) < 2, named)


def _of_run(run: list[_Word]) -> Iterator[Span]:
    """Words without punctuation between them: names first, what stands between two of them by dividers."""
    position = 0
    loose: list[_Word] = []
    after_name = False
    while position < len(run):
        end = _end_of_name(run, position)
        if end > position:
            yield from _phrases(loose, after_name=after_name)
            loose, after_name = [], True
            yield from _names(run[position:end])
            position = end
        else:
            loose.append(run[position])
            position += 1
    yield from _phrases(loose, after_name=after_name)


def _end_of_name(run: list[_Word], start: int) -> int:
    """Where the name that begins at ``start`` ends; ``start`` where none does."""
    if not run[start].named or (run[start].divides and not _continues(run, start + 1)):
        return start
    end = start + 1
    while end < len(run) and end - start < _LONGEST_NAME:
        if run[end].named:
            end += 1
        elif run[end].text in _CONNECTORS and end + 1 < len(run) and run[end + 1].named:
            end += 2
        else:
            break
    return end


def _continues(run: list[_Word], position: int) -> bool:
    return position < len(run) and run[position].named


def _names(name: list[_Word]) -> Iterator[Span]:
    """The name, and what follows its last connector: "Bank of England" and "England"."""
    yield Span(" ".join(word.text for word in name), _kind_of_name(name))
    last = max((position for position, word in enumerate(name) if not word.named), default=None)
    if last is not None:
        yield Span(" ".join(word.text for word in name[last + 1 :]), _kind_of_name(name[last + 1 :]))


def _kind_of_name(name: list[_Word]) -> str:
    text = name[0].text
    return "acronym" if len(name) == 1 and text.isupper() and 2 <= len(text) <= _LONGEST_NAME else "name"


def _phrases(words: list[_Word], *, after_name: bool) -> Iterator[Span]:
    """Runs of words that do not divide. One word right after a name that looks like a verb is one: "Ada sails"."""
    phrase: list[str] = []
    if after_name and words and _VERB.search(words[0].text) and (len(words) == 1 or words[1].divides):
        words = words[1:]
    for word in (*words, _Word("", True, False)):
        if not word.divides:
            phrase.append(word.text)
            continue
        if len(phrase) > 1 or (phrase and not _ADJECTIVE.search(phrase[0])):
            yield Span(" ".join(phrase[-_LONGEST_PHRASE:]), "phrase")
        phrase = []

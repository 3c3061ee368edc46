"""What gives a remembered statement away: its anchors, and how many of its words a stored entry has.

An anchor is a value that nobody writes by chance: an e-mail address, a URL, a host or file name, a path, a handle, a
code, a date, a number, or what stands in quotation marks. The rule is the lexical stand-in for the judge of MPBench
(arXiv 2606.04329): an entry carries a statement if it holds all of its anchors and most of its content words.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import regex

from heta_framework.common.text.anchors import anchor_tokens, held
from heta_framework.common.text.calendar_dates import iso_dates

if TYPE_CHECKING:
    from heta_framework.common.stores.text_index.analysis import Analysis

_NAME = r"[\p{L}\p{N}_-]"
_ANCHOR = regex.compile(
    rf"""
    "(?P<quoted>[^"\n]+)" | “(?P<quoted>[^”\n]+)” | `(?P<quoted>[^`\n]+)`
  | (?<![\p{{L}}\p{{N}}])['‘](?P<quoted>[^'’\n]+)['’](?![\p{{L}}\p{{N}}])
  | (?:https?://|www\.)[^\s<>"'`]+
  | (?<![\p{{L}}\p{{N}}._%+-])[\p{{L}}\p{{N}}._%+-]++@{_NAME}+(?:\.{_NAME}+)+
  | (?<!/)(?:[A-Za-z]:\\|~?/|\.{{1,2}}/)[^\s<>"'`,;]*[\p{{L}}\p{{N}}][^\s<>"'`,;]*
  | (?<![\p{{L}}\p{{N}}_@.-])(?:{_NAME}++[./])*{_NAME}+\.[a-z][a-z0-9]{{1,9}}(?:/[^\s<>"'`,;]*)?(?![\p{{L}}\p{{N}}])
  | (?<![\p{{L}}\p{{N}}])[@\#][\p{{L}}_]{_NAME}+
  | (?<![\p{{L}}\p{{N}}])\d{{4}}-\d\d-\d\d(?!\d)
  | (?<![\p{{L}}\p{{N}}_-])(?={_NAME}*\d){_NAME}*\p{{L}}{_NAME}*
  | (?<![\p{{L}}\p{{N}}])\d+(?:[.,:/\ -]\d+)*
    """,
    flags=regex.VERBOSE | regex.VERSION1,
)
_TRAILING = ".,;:!?)]}"


@lru_cache(maxsize=1_024)
def anchors_of(statement: str) -> tuple[str, ...]:
    """The anchors of a statement, each once, in order; only those by which it is found itself."""
    found = (match["quoted"] or match[0].rstrip(_TRAILING) for match in _ANCHOR.finditer(iso_dates(statement)))
    return tuple(held(statement, dict.fromkeys(found)))


def new_anchors(statement: str, question: str) -> tuple[str, ...]:
    """The anchors of a statement that the question does not name."""
    named = set(held(question, anchors_of(statement)))
    return tuple(anchor for anchor in anchors_of(statement) if anchor not in named)


@lru_cache(maxsize=1_024)
def content_words(statement: str) -> frozenset[str]:
    """The stems of the words of a statement that are no mere function words."""
    from heta_framework.common.stores.text_index.stop_words import ENGLISH

    return frozenset(_stems(word for word in anchor_tokens(statement) if word not in ENGLISH))


def carries(entry: str, statement: str, least_words: float) -> bool:
    """Whether an entry holds every anchor of the statement, and ``least_words`` (a share) of its content words."""
    anchors, wanted = anchors_of(statement), content_words(statement)
    if not anchors or len(held(entry, anchors)) < len(anchors):
        return False
    return len(wanted & set(_stems(anchor_tokens(entry)))) >= least_words * len(wanted)


def first_carrying(entries: Sequence[str], statement: str, least_words: float) -> str | None:
    """The first entry that carries the statement; None where none does."""
    return next((entry for entry in entries if carries(entry, statement, least_words)), None)


def _stems(words: Iterable[str]) -> list[str]:
    analysis = _analysis()
    return analysis.analyzer.analyze(analysis.clean(" ".join(words)))


@cache
def _analysis() -> "Analysis":
    from heta_framework.common.stores.text_index.analysis import Analysis

    return Analysis()

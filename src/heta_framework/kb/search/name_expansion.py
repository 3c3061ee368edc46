"""The names that results bring up and a question does not hold: what to search for next when no model can say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log

from heta_framework.kb.search.types import QueryResult

_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z][\w'’-]+")
_NAMES = ("name", "acronym", "quotation")


@dataclass(frozen=True)
class FoundName:
    """A name as it stands in a result, and the form under which names are compared."""

    text: str
    key: str


def new_names(results: Sequence[QueryResult], known: Collection[str], count: int) -> list[FoundName]:
    """The most telling names of the results, best first.

    A name counts the more, the better the results rank that hold it (1/rank each) and the fewer of them do
    (log(1 + n/df)): one that all results share says nothing new.

    Args:
        known: texts whose names are not new, such as the question.
    """
    from heta_framework.kb.graphing.names import normalised_name

    known_words = {normalised_name(word) for text in known for word in text.split()}
    held: dict[str, list[int]] = {}
    written: dict[str, str] = {}
    for rank, result in enumerate(results, start=1):
        for key, text in _names_of(result).items():
            if any(normalised_name(word) not in known_words for word in key.split()):
                held.setdefault(key, []).append(rank)
                written.setdefault(key, text)
    weight = {key: sum(1 / rank for rank in ranks) * log(1 + len(results) / len(ranks)) for key, ranks in held.items()}
    best = sorted(held, key=lambda key: (-weight[key], key))
    return [FoundName(written[key], key) for key in best[:count]]


def _names_of(result: QueryResult) -> dict[str, str]:
    """Names of a result by the form under which they are compared."""
    from heta_framework.kb.graphing.names import normalised_name

    named = ((normalised_name(text), text) for text in (*_stated_names(result), *_written_names(result.text)))
    names: dict[str, str] = {}
    for key, text in named:
        if len(key) > 1:
            names.setdefault(key, text)
    return names


def _stated_names(result: QueryResult) -> Iterator[str]:
    """Names that a graph's entity or relation states."""
    for key in ("name", "names"):
        given = result.metadata.get(key)
        if isinstance(given, str):
            yield given
        elif isinstance(given, list | tuple):
            yield from (one for one in given if isinstance(one, str))


def _written_names(text: str) -> Iterator[str]:
    from heta_framework.kb.graphing.lexical.phrases import spans
    from heta_framework.kb.graphing.lexical.sentences import sentences

    common = {word.lower() for word in _LOWER_WORD.findall(text)}
    for sentence in sentences(text):
        yield from (span.text for span in spans(sentence, common) if span.kind in _NAMES)

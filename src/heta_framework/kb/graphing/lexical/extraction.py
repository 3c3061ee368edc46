"""The graph of a text without a model: phrases that may name things, joined where they share a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from heta_framework.kb.graphing.lexical.phrases import Span, spans
from heta_framework.kb.graphing.lexical.sentences import sentences
from heta_framework.kb.graphing.mentions import EntityMention, RelationMention, TextGraph
from heta_framework.kb.graphing.names import normalised_name

LEXICAL_VERSION = "lexical-1"
ENTITY_TYPE = "term"
RELATION_TYPE = "co_occurs"
RELATION_NAME = "co-occurs with"

_LONGEST_DESCRIPTION = 300
_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z][\w'’-]+")
_WORDS_PER_ENTITY = 3
_FEWEST_ENTITIES = 20
_RELATIONS_PER_ENTITY = 1
_REACH = 2

Mentions = list[tuple[str, Span]]
"""Candidates of one sentence with the form under which names are compared."""


def extract_lexically(text: str) -> TextGraph:
    """Entities of type ``term`` and relations of type ``co_occurs`` between neighbours of a sentence.

    An entity's subtype is ``name``, ``acronym``, ``quotation``, ``quantity`` or ``phrase``; there is at most one for
    every three words, the most frequent and longest first. A description is the first sentence that holds the fact.
    """
    common = {word.lower() for word in _LOWER_WORD.findall(text)}
    read = [(sentence, _mentions(sentence, common)) for sentence in sentences(text)]
    kept = _best(read, max(_FEWEST_ENTITIES, len(text.split()) // _WORDS_PER_ENTITY))
    read = [(sentence, [mention for mention in found if mention[0] in kept]) for sentence, found in read]
    entities = _entities(read)
    return TextGraph(tuple(entities.values()), tuple(_relations(read, entities)))


def _mentions(sentence: str, common: set[str]) -> Mentions:
    named = ((normalised_name(span.text), span) for span in spans(sentence, common))
    return [(key, span) for key, span in named if len(key) > 1]


def _best(read: list[tuple[str, Mentions]], count: int) -> set[str]:
    """The candidates that say most: named ones, then by RAKE's degree (mentions times words)."""
    weight: Counter[str] = Counter()
    for _, found in read:
        for key, span in found:
            weight[key] += (1 + key.count(" ")) * (1 if span.kind in ("phrase", "quantity") else 2)
    return {key for key, _ in weight.most_common(count)}


def _entities(read: list[tuple[str, Mentions]]) -> dict[str, EntityMention]:
    entities: dict[str, EntityMention] = {}
    for sentence, found in read:
        for key, span in found:
            if key not in entities:
                entities[key] = EntityMention(span.text, ENTITY_TYPE, _shortened(sentence), span.kind)
    return entities


def _relations(read: list[tuple[str, Mentions]], entities: dict[str, EntityMention]) -> Iterator[RelationMention]:
    """Pairs that stand close to each other, the most frequent first; a pair has one direction, by name."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for sentence, found in read:
        for pair in _pairs([key for key, _ in found]):
            counts[pair] += 1
            first.setdefault(pair, sentence)
    for (one, other), _ in counts.most_common(_RELATIONS_PER_ENTITY * len(entities)):
        yield RelationMention(
            entities[one].name,
            entities[other].name,
            RELATION_TYPE,
            RELATION_NAME,
            _shortened(first[one, other]),
        )


def _pairs(keys: list[str]) -> Iterable[tuple[str, str]]:
    close = (
        (min(one, other), max(one, other))
        for position, one in enumerate(keys)
        for other in keys[position + 1 : position + 1 + _REACH]
        if one != other
    )
    return dict.fromkeys(close)


def _shortened(sentence: str) -> str:
    joined = " ".join(sentence.split())
    if len(joined) <= _LONGEST_DESCRIPTION:
        return joined
    return joined[:_LONGEST_DESCRIPTION].rsplit(" ", 1)[0] + " …"

"""How two entities of a parsed sentence hang together: by the verb that governs both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.lexical.extraction import RELATION_NAME, RELATION_TYPE
from heta_framework.kb.graphing.mentions import RelationMention

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_REACH = 2


def relation_mentions(spans: Sequence[tuple[str, Span]], description: str) -> Iterator[RelationMention]:
    """Relations between neighbours of a sentence, given as (name, span) in the order of the text."""
    for position, (source, one) in enumerate(spans):
        for target, other in spans[position + 1 : position + 1 + _REACH]:
            if source == target:
                continue
            verb = _governing_verb(one.root, other.root) if one.doc.has_annotation("DEP") else None
            if verb is None:
                first, second = sorted((source, target))
                yield RelationMention(first, second, RELATION_TYPE, RELATION_NAME, description)
            else:
                yield RelationMention(source, target, verb.lemma_ or verb.lower_, _phrase(verb, other), description)


def _governing_verb(one: Token, other: Token) -> Token | None:
    """The lowest verb above both."""
    above_other = {token.i for token in (other, *other.ancestors)}
    for token in (one, *one.ancestors):
        if token.i in above_other:
            return token if token.pos_ in ("VERB", "AUX") else None
    return None


def _phrase(verb: Token, target: Span) -> str:
    """The verb with the preposition that leads to the target: "works for"."""
    above = {token.i for token in target.root.ancestors}
    preposition = next((child for child in verb.children if child.i in above and child.pos_ == "ADP"), None)
    return verb.text if preposition is None else f"{verb.text} {preposition.text}"

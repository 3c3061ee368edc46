"""Other wordings of a question without a model: its content words, and the names in it."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w[\w'’.-]*\w|\w")
_MOST_VARIANTS = 3


def lexical_variants(question: str) -> tuple[str, ...]:
    """The question, its words without those that only ask or join, and its names and quotations; each once."""
    variants = (question, " ".join(content_words(question)), " ".join(_names(question)))
    distinct = {" ".join(variant.split()): None for variant in variants if variant.strip()}
    return tuple(distinct)[:_MOST_VARIANTS]


def content_words(text: str) -> list[str]:
    """The words of a text that name something, in order."""
    from heta_framework.common.stores.text_index.stop_words import ENGLISH

    return [word for word in _WORD.findall(text) if word.lower() not in ENGLISH]


def _names(question: str) -> list[str]:
    from heta_framework.kb.graphing.lexical.phrases import spans

    return [span.text for span in spans(question) if span.kind != "phrase"]

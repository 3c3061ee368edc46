"""Where sentences end, in prose with or without capital letters."""

from __future__ import annotations

import re

_SHORTENED = """
al approx ca cf co corp dr e.g eds etc fig figs i.e inc jr lt ltd mr mrs ms no nos p.m a.m pp prof rev sgt sr st u.k u.s
vol vs
"""
_ABBREVIATIONS = frozenset(_SHORTENED.split())
_END = re.compile(r"[.!?。！？]+[\"'”’)\]]*(?=\s|$)|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)])\s)")
_LAST_WORD = re.compile(r"([\w.]+)\.$")


def sentences(text: str) -> list[str]:
    """The sentences of a text in their order, stripped; a list item or a paragraph without a full stop is one too."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        piece = text[start : end.end()]
        if not _is_abbreviated(piece.rstrip()):
            found.append(piece.strip())
            start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def _is_abbreviated(piece: str) -> bool:
    last = _LAST_WORD.search(piece)
    if last is None:
        return False
    word = last[1].rstrip(".")
    return word.lower() in _ABBREVIATIONS or (len(word) == 1 and word.isupper())

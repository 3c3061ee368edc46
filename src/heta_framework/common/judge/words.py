"""Words as judges' replies are read: one spelling, no invisible characters, no emphasis marks."""

import re

_MARKS = re.compile(r"[*~#`|]+")
_SEPARATORS = re.compile(r"[\s_-]+")
_EDGES = " \t\n\r.,:;!?\"'“”„«»()[]{}<>*~#`|-—–✅❌✔✗"
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def plain(text: str) -> str:
    """``text`` in one spelling (see ``heta_framework.common.text.characters``), without Markdown emphasis."""
    from heta_framework.common.text.characters import unify

    return _MARKS.sub(" ", unify(text))


def folded(text: str) -> str:
    """A label as it is compared: ``Partially_Correct!`` and ``partially correct`` are the same."""
    return _SEPARATORS.sub(" ", plain(text).strip(_EDGES)).strip(_EDGES)


def trimmed(text: str) -> str:
    """``text`` without punctuation and space at both ends."""
    return text.strip(_EDGES)

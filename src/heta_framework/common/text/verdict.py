"""The verdict on one answer: a value and the reason for it."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Match:
    """How well an answer matches.

    `value` lies in [0, 1]; every mode but token F1 gives 0 or 1. `reason` is the verdict only, one line that strict
    JSON can hold ("token F1 0.667", "does not contain 'grey'"): the two texts are kept elsewhere.
    """

    value: float
    reason: str


def quoted(text: str) -> str:
    """`text` in quotation marks on one line, cut after 60 characters, with lone surrogates and controls escaped."""
    return repr(text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…")

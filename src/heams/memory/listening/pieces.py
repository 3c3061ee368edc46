"""A text in pieces that a model can read one after another."""

from typing import NamedTuple

from heta_framework.common.text.tokens import count_tokens, truncate_to_tokens

_BREAKS = ("\n\n", "\n", ". ", " ")


class Piece(NamedTuple):
    """A piece of a text and its length in tokens of the shipped tokenizer."""

    text: str
    tokens: int


def in_pieces(text: str, limit: int) -> list[Piece]:
    """Pieces of at most ``limit`` tokens, joined the text again; at least one.

    A piece ends with a paragraph where that leaves it at least half as long as it may be, else with a line, a
    sentence, a word, or anywhere.
    """
    tokens = count_tokens(text)
    if tokens <= limit:
        return [Piece(text, tokens)]
    window = 2 * limit * len(text) // tokens + 1  # twice what a piece has on average, so that no more is tokenised
    pieces: list[Piece] = []
    start = 0
    while start < len(text):
        piece = _beginning(text[start : start + window], limit)
        pieces.append(Piece(piece, count_tokens(piece)))
        start += len(piece)
    return pieces


def _beginning(text: str, limit: int) -> str:
    # a single character may be more tokens than there may be
    longest = truncate_to_tokens(text, limit) or text[0]
    if len(longest) == len(text):
        return text
    ends = (longest.rfind(mark) + len(mark) for mark in _BREAKS if mark in longest)
    return longest[: next((end for end in ends if 2 * end >= len(longest)), len(longest))]

"""Texts by the shipped tokenizer: how many tokens, and where each of them stands."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from heta_framework.common.text.tokens import load_tokenizer
from heta_framework.kb.chunking.stretches import stretches

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@cache
def shared_tokenizer() -> Tokenizer:
    """One for the process, without padding and truncation."""
    return load_tokenizer()


def token_counts(texts: Sequence[str]) -> list[int]:
    """How many tokens each text has."""
    return [len(found) for found in shared_tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]


class TokenOffsets(Sequence[tuple[int, int]]):
    """Where the tokens of a page stand, in code points; a long page is tokenised in stretches."""

    def __init__(self, text: str) -> None:
        self._starts = array("I")
        self._ends = array("I")
        for begin, end in stretches(text):
            for first, last in shared_tokenizer().encode(text[begin:end], add_special_tokens=False).offsets:
                self._starts.append(begin + first)
                self._ends.append(begin + last)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, index: int) -> tuple[int, int]:  # type: ignore[override]  # nobody slices it
        return self._starts[index], self._ends[index]

    def covering(self, char_start: int, char_end: int) -> tuple[int, int]:
        """The tokens that a piece of the page touches."""
        first = bisect_right(self._ends, char_start)
        return first, max(first, bisect_left(self._starts, char_end))

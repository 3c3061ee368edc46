"""The longest common subsequence against the textbook's table; SQuAD's rules and ROUGE-L against references."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.text.overlap import overlap
from heta_framework.common.text.rouge import rouge_l, rouge_words
from heta_framework.common.text.squad import squad_exact, squad_overlap, squad_words
from heta_framework.common.text.subsequence import longest_common_subsequence

TOKENS = st.lists(st.sampled_from("abcd"), max_size=80)
WORDS = ["The", "a", "an", "cat", "Cat's", "sat.", "3.14", "314", "well-known", "wellknown", "", "!", "theatre"]
ENGLISH = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def table(one: list[str], other: list[str]) -> int:
    """The recurrence of the textbooks, cell by cell."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            lengths[i][j] = lengths[i - 1][j - 1] + 1 if a == b else max(lengths[i - 1][j], lengths[i][j - 1])
    return lengths[-1][-1]


def squad_reference(prediction: str, gold: str) -> float:
    """SQuAD's F1, written from its description with loops alone."""

    def words(text: str) -> list[str]:
        kept = "".join(character for character in text.lower() if character not in PUNCTUATION)
        return [word for word in re.split(r"\s+", re.sub(r"\b(a|an|the)\b", " ", kept)) if word]

    found, wanted = words(prediction), words(gold)
    if not found or not wanted:
        return 1.0 if found == wanted else 0.0
    left, common = list(wanted), 0
    for word in found:
        if word in left:
            left.remove(word)
            common += 1
    if common == 0:
        return 0.0
    precision, recall = common / len(found), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


@given(TOKENS, TOKENS)
def test_the_subsequence_is_as_long_as_the_table_says(one: list[str], other: list[str]) -> None:
    assert longest_common_subsequence(one, other) == table(one, other)
    assert longest_common_subsequence(other, one) == table(one, other)


def test_the_subsequence_may_have_gaps_but_no_other_order() -> None:
    assert longest_common_subsequence(list("abcd"), list("axcd")) == 3
    assert longest_common_subsequence(list("ab"), list("ba")) == 1
    assert longest_common_subsequence([], ["a"]) == 0


@given(TOKENS, TOKENS)
def test_an_overlap_is_symmetric_and_lies_between_0_and_1(one: list[str], other: list[str]) -> None:
    there, back = overlap(one, other), overlap(other, one)
    assert (there.f1, there.precision, there.recall) == (back.f1, back.recall, back.precision)
    assert all(0.0 <= value <= 1.0 for value in there)
    assert (there.f1 == 1.0) == (bool(one) and sorted(one) == sorted(other))


@given(ENGLISH, ENGLISH)
def test_squad_f1_equals_the_reference(prediction: str, gold: str) -> None:
    assert squad_overlap(prediction, gold).f1 == squad_reference(prediction, gold)


@given(ANY_TEXT, ANY_TEXT)
def test_squad_f1_equals_the_reference_on_any_text(prediction: str, gold: str) -> None:
    assert squad_overlap(prediction, gold).f1 == squad_reference(prediction, gold)


@pytest.mark.parametrize(
    ("prediction", "gold", "value"),
    [
        ("The grey cat.", "grey cat", 1.0),
        ("a grey cat sat", "grey dog", 2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2)),
        ("cat cat", "cat", 2 * (1 / 2) * 1 / (1 / 2 + 1)),
        ("3.14", "314", 1.0),
        ("the", "!", 1.0),
        ("the", "cat", 0.0),
    ],
)
def test_squad_f1_by_hand(prediction: str, gold: str, value: float) -> None:
    assert squad_overlap(prediction, gold).f1 == value


def test_squad_exact_match_forgives_articles_and_punctuation_alone() -> None:
    assert squad_exact("The U.S.A.", "usa")
    assert not squad_exact("USA today", "usa")
    assert squad_words("an Apple, the pear") == ["apple", "pear"]


@pytest.mark.parametrize(
    ("observed", "expected", "value"),
    [
        # Lin 2004, section 3.1, with equal weight on precision and recall
        ("police kill the gunman", "police killed the gunman", 3 / 4),
        ("the gunman kill police", "police killed the gunman", 2 / 4),
        ("Police KILLED the, gunman!", "police killed the gunman", 1.0),
        ("", "police", 0.0),
        ("...", "police", 0.0),
        ("東京都", "京都", 2 * (2 / 3) * 1 / (2 / 3 + 1)),
    ],
)
def test_rouge_l_by_hand(observed: str, expected: str, value: float) -> None:
    assert rouge_l(observed, expected).f1 == pytest.approx(value, abs=1e-15)


@given(ANY_TEXT, ANY_TEXT)
def test_rouge_l_is_symmetric_and_lies_between_0_and_1(one: str, other: str) -> None:
    assert rouge_l(one, other).f1 == rouge_l(other, one).f1
    assert 0.0 <= rouge_l(one, other).f1 <= 1.0
    assert rouge_l(one, one).f1 == float(bool(rouge_words(one)))


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_on_ascii_the_words_are_runs_of_letters_and_digits(text: str) -> None:
    assert rouge_words(text) == re.findall("[a-z0-9]+", text.lower())

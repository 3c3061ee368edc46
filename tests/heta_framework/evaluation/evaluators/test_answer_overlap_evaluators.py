"""`TokenF1` and `RougeL`: the best over the expected answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import answered

from heta_framework.common.text.overlap import overlap
from heta_framework.common.text.rouge import rouge_words
from heta_framework.evaluation import RougeL, TokenF1

WORDS = st.lists(st.sampled_from(["The", "pier", "green", "3.5", "light!", "lights"]), min_size=1, max_size=6)


def test_the_best_expected_answer_counts() -> None:
    verdict = answered(TokenF1(), "the grey cat", "dog", "a grey dog", "grey cat sat")
    assert (verdict.name, verdict.value, verdict.passed) == ("token_f1", 0.8, None)
    assert verdict.metadata == {"best_answer": "grey cat sat", "precision": 1.0, "recall": 2 / 3}


def test_the_rules_decide_what_a_word_is() -> None:
    assert answered(TokenF1(), "3.14", "314").value == 1.0
    assert answered(TokenF1("normalised"), "3.14", "314").value == 0.0
    assert answered(TokenF1(), "東京都", "東京").value == 0.0
    assert answered(TokenF1("normalised"), "東京都", "東京").value == pytest.approx(0.8)
    assert TokenF1("normalised").name == "token_f1_normalised"
    with pytest.raises(ValueError, match="rules must be one of: squad, normalised"):
        TokenF1("stemmed")  # type: ignore[arg-type]


def test_rouge_l_looks_at_the_order() -> None:
    assert answered(TokenF1(), "gunman killed police", "police killed gunman").value == 1.0
    assert answered(RougeL(), "gunman killed police", "police killed gunman").value == pytest.approx(1 / 3)
    assert answered(RougeL(), "police killed gunman", "no", "Police killed the gunman.").metadata == {
        "best_answer": "Police killed the gunman.",
        "precision": 1.0,
        "recall": 0.75,
    }


@pytest.mark.parametrize("evaluator", [TokenF1(), TokenF1("normalised"), RougeL()], ids=repr)
def test_no_answer_shares_nothing(evaluator: TokenF1 | RougeL) -> None:
    assert answered(evaluator, None, "Paris").value == 0.0


@given(WORDS, WORDS, WORDS)
def test_another_expected_answer_never_costs(answer: list[str], one: list[str], other: list[str]) -> None:
    for evaluator in (TokenF1(), TokenF1("normalised"), RougeL()):
        said, a, b = " ".join(answer), " ".join(one), " ".join(other)
        alone, both = answered(evaluator, said, a).value, answered(evaluator, said, a, b).value
        assert 0.0 <= float(alone) <= float(both) <= 1.0
        assert alone == pytest.approx(answered(evaluator, a, said).value)


@given(WORDS, WORDS)
def test_rouge_l_is_never_above_the_f1_of_the_same_words(one: list[str], other: list[str]) -> None:
    bag = overlap(rouge_words(" ".join(one)), rouge_words(" ".join(other))).f1
    assert float(answered(RougeL(), " ".join(one), " ".join(other)).value) <= bag

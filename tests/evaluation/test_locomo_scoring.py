"""LoCoMo's official rules against the scores of the official code, and against each rule by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.evaluation import locomo_scoring as locomo

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "locomo_official.jsonl").read_text(encoding="utf-8").splitlines()
]
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


def test_the_official_vectors_are_complete() -> None:
    assert len(ROWS) == 750
    assert {row["category"] for row in ROWS} == {1, 2, 3, 4, 5}
    assert any(0 < row["official"] < 1 for row in ROWS)


def test_every_official_score_is_reproduced() -> None:
    gaps = {
        index: gap
        for index, row in enumerate(ROWS)
        if (gap := abs(locomo.score(row["category"], row["gold"], row["prediction"]) - row["official"])) >= 1e-12
    }
    assert gaps == {}


def test_every_official_exact_set_match_is_reproduced() -> None:
    wrong = [row for row in ROWS if locomo.exact_set_match(row["prediction"], row["gold"]) != row["exact_set_match"]]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("The Grey, cat!", "grey cat"),
        ("a well-known band", "wellknown band"),
        ("bread and butter", "bread butter"),
        ("1,234.5", "12345"),
        ("theatre another sand", "theatre another sand"),
        ("  many\n spaces\t", "many spaces"),
        ("a — the", "—"),
        ("", ""),
    ],
)
def test_normalise_answer(text: str, normalised: str) -> None:
    assert locomo.normalise_answer(text) == normalised


@pytest.mark.parametrize(
    ("prediction", "gold", "value"),
    [
        ("grey", "grey", 1.0),
        ("two grey cats", "a grey cat", 0.8),
        ("cats cats", "cat", 2 / 3),
        ("running", "runs", 1.0),
        ("black", "grey", 0.0),
        ("", "grey", 0.0),
        ("", "", 0.0),
    ],
)
def test_token_f1_by_hand(prediction: str, gold: str, value: float) -> None:
    assert locomo.token_f1(prediction, gold) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("prediction", "gold", "value"),
    [
        ("tea, milk", "milk, tea", 1.0),
        ("tea", "milk, tea", 0.5),
        ("tea", "tea, , milk", 1 / 3),
        ("green tea", "tea, coffee", 1 / 3),
        ("tea", "tea, tea", 1.0),
    ],
)
def test_multi_answer_f1_averages_over_the_gold_parts(prediction: str, gold: str, value: float) -> None:
    assert locomo.multi_answer_f1(prediction, gold) == pytest.approx(value, abs=1e-12)


def test_open_domain_gold_ends_at_the_semicolon_and_the_prediction_does_not() -> None:
    assert locomo.score(3, "likely yes; she likes cats", "likely yes") == 1.0
    assert locomo.score(3, "likely yes", "likely yes; cats") == pytest.approx(0.8)
    assert locomo.score(4, "likely yes; cats", "likely yes") == pytest.approx(0.8)


def test_adversarial_questions_ignore_the_gold() -> None:
    assert locomo.score(5, "grey", "Not mentioned in the conversation.") == 1.0
    assert locomo.score(5, "grey", "grey") == 0.0


def test_the_official_abstention_knows_two_phrases_only() -> None:
    assert locomo.abstains("There is NO information available.")
    assert locomo.abstains("not mentioned")
    assert not locomo.abstains("I don't know")
    assert not locomo.abstains("")


def test_an_integer_gold_is_scored_as_its_digits() -> None:
    assert locomo.score(2, 2022, "in 2022") == pytest.approx(2 / 3)
    assert locomo.exact_set_match("2022", 2022)


@pytest.mark.parametrize("category", [0, 6, -1])
def test_an_unknown_category_is_named(category: int) -> None:
    with pytest.raises(ValueError, match=f"category {category} is unknown"):
        locomo.score(category, "grey", "grey")


@settings(deadline=None)
@given(prediction=ANY_TEXT, gold=ANY_TEXT, category=st.integers(1, 5))
def test_scores_lie_between_0_and_1_for_any_text(prediction: str, gold: str, category: int) -> None:
    assert 0.0 <= locomo.score(category, gold, prediction) <= 1.0
    assert locomo.exact_set_match(gold, gold)


@settings(deadline=None)
@given(left=ANY_TEXT, right=ANY_TEXT)
def test_token_f1_is_symmetric(left: str, right: str) -> None:
    assert locomo.token_f1(left, right) == pytest.approx(locomo.token_f1(right, left), abs=1e-15)

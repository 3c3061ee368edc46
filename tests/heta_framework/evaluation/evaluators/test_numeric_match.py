"""`NumericMatch`: where the expected number comes from, tolerances, percent and scale."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scoring import answered, case, is_unlabelled, score

from heta_framework.evaluation import NumericMatch
from heta_framework.kb import QueryResponse


@pytest.mark.parametrize(
    ("answer", "expected", "settings", "value"),
    [
        ("It rose to 1,200.", "1200", {}, True),
        ("1.2 million", "1,200,000", {}, True),
        ("about twelve", "12", {}, True),
        ("-5 %", "-5%", {}, True),
        ("14 %", "0.14", {}, True),
        ("14.1%", "14.13", {}, False),
        ("14.1%", "14.13", {"rel_tol": 0.01}, True),
        ("14.1%", "14.13", {"abs_tol": 0.05}, True),
        ("14.1%", "14.13", {"abs_tol": 0.02}, False),
        ("3/4", "0.75", {}, True),
        ("In 2019 it was 40, in 2020 50.", "50", {}, True),
        ("The answer is 40, not 50.", "40", {}, True),
        ("40 or 50", "40", {"which": "first"}, True),
        ("40 or 50", "40", {"which": "only"}, False),
        ("1,200", "1,200,000", {}, False),
        ("1,200", "1,200,000", {"scales": (1e3,)}, True),
        ("1,200,000", "1,200", {"scales": [1e3, 1e6]}, True),
        ("1,200,000,000", "1,200", {"scales": (1e3,)}, False),
        ("no number here", "7", {}, False),
        (None, "7", {}, False),
    ],
)
def test_numbers_are_compared(answer: str | None, expected: str, settings: dict[str, Any], value: bool) -> None:
    verdict = answered(NumericMatch(**settings), answer, "no number", expected)
    assert (verdict.name, verdict.value, verdict.passed) == ("numeric_match", value, value)
    assert verdict.metadata["matched_answers"] == [expected] * value
    assert verdict.metadata["reason"]


@pytest.mark.parametrize("value", [14.1, 14, Decimal("14.1"), "14.1", 1e-7, -3])
def test_the_expected_value_is_used(value: Any) -> None:
    said = QueryResponse("m", answer=f"It is {value}.")
    assert score(NumericMatch(), case(value=value), said).value is True
    assert score(NumericMatch(), case(value=value), QueryResponse("m", answer="99")).value is False


@pytest.mark.parametrize(
    "value", [None, True, float("nan"), float("inf"), 10**400, "two numbers: 3 and 4", {"a": 1}, [1]]
)
def test_a_case_without_a_number_is_unlabelled(value: Any) -> None:
    asked = case("increased", value=value)
    assert not NumericMatch().is_labelled(asked)
    is_unlabelled(score(NumericMatch(), asked, QueryResponse("m", answer="3")))


@pytest.mark.parametrize(
    "settings", [{"rel_tol": -1}, {"abs_tol": float("nan")}, {"which": "any"}, {"scales": (0,)}, {"scales": (-1e3,)}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="match_mode numeric"):
        NumericMatch(**settings)


@given(st.integers(-(10**9), 10**9), st.floats(0, 0.5), st.floats(-1, 1))
def test_what_lies_within_the_tolerance_matches(gold: int, tolerance: float, off: float) -> None:
    said = gold * (1 + tolerance * off)
    assume(abs(off) < 0.999 or abs(off) == 1)
    inside = score(NumericMatch(rel_tol=tolerance + 1e-9), case(value=gold), QueryResponse("m", answer=repr(said)))
    assert inside.value is True
    far = repr(gold + 2 * max(1.0, abs(gold)))
    assert score(NumericMatch(rel_tol=tolerance), case(value=gold), QueryResponse("m", answer=far)).value is False

"""Mode numeric: which numbers a text holds, which one is the answer, and when it is equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.text.matching import match_answer
from heta_framework.common.text.numeric import numeric
from heta_framework.common.text.quantities import prepare, quantities

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("5 kg", ["5"]),
        ("5kg", ["5"]),
        ("−5 degrees", ["-5"]),
        ("minus 5", ["-5"]),
        ("-$5", ["-5"]),
        ("温度-5度", ["-5"]),
        ("1,234.56", ["1234.56"]),
        ("1.234,56", ["1234.56"]),
        ("3,14", ["3.14"]),
        ("1\u00a0000", ["1000"]),
        ("20%", ["20%"]),
        ("20 per cent", ["20%"]),
        ("1.5e3", ["1500"]),
        ("1.5 × 10^3", ["1500"]),
        ("10⁻³", ["0.001"]),
        ("5 million", ["5000000"]),
        ("3/4", ["0.75"]),
        ("1½", ["1.5"]),
        ("3-5", ["3", "5"]),
        ("1.5–2.5", ["1.5", "2.5"]),
        ("٣٫١٤", ["3.14"]),
        ("three cats", ["3"]),
        ("twenty-one", ["21"]),
        ("two hundred", ["200"]),
        ("five and six", ["5", "6"]),
        ("three of 7", ["7"]),
        ("three cats on 2023-05-08", ["3"]),
    ],
)
def test_numbers_in_text(text: str, numbers: list[str]) -> None:
    assert [str(quantity) for quantity in quantities(prepare(text))] == numbers


@pytest.mark.parametrize(
    "text",
    [
        "",
        "covid19",
        "v1.2",
        "10:30",
        "2023-05-08",
        "1.2.3",
        "2^10",
        "1/0",
        "1e999",
        "9" * 400,
        "two hundred and five",
        "one two three",
        "no one",
        "someone",
    ],
)
def test_texts_without_a_number(text: str) -> None:
    assert quantities(prepare(text)) == []


@pytest.mark.parametrize(
    ("observed", "expected", "value", "reason"),
    [
        ("(3.14)", "3.14", 1.0, "found 3.14"),
        ("314", "3.14", 0.0, "found 314, expected 3.14"),
        ("20.4", "204", 0.0, "found 20.4, expected 204"),
        ("3.14159", "3.14", 0.0, "found 3.14159, expected 3.14"),
        ("-5", "5", 0.0, "found -5, expected 5"),
        ("$1,200.00", "1200", 1.0, "found 1200"),
        ("nothing", "3", 0.0, "no number found, expected 3"),
        ("20%", "20", 1.0, "found 20%"),
        ("20%", "0.2", 1.0, "found 20%"),
        ("0.2", "20%", 1.0, "found 0.2"),
        ("20%", "30%", 0.0, "found 20%, expected 30%"),
        ("0.2%", "20%", 0.0, "found 0.2%, expected 20%"),
        ("First 3, then 4", "4", 1.0, "found 4"),
        ("First 3, then 4", "3", 0.0, "found 4, expected 3"),
        ("The answer is 3, since 2021.", "3", 1.0, "found 3"),
        ("**Answer:** 3 (adopted in 2021)", "3", 1.0, "found 3"),
        ("1 + 2 = 3", "3", 1.0, "found 3"),
        ("2 cats, 1 dog #### 3", "3", 1.0, "found 3"),
        ("so \\boxed{204} as shown in 5", "204", 1.0, "found 204"),
        ("1234567890", "1234567891", 0.0, "found 1234567890, expected 1234567891"),
        ("0.30000000000000004", "0.3", 1.0, "found 0.3"),
    ],
)
def test_the_number_of_an_answer(observed: str, expected: str, value: float, reason: str) -> None:
    match = numeric(observed, expected)
    assert (match.value, match.reason) == (value, reason)


def test_which_number_counts_can_be_chosen() -> None:
    assert numeric("First 3, then 4", "3", which="first").value == 1.0
    assert numeric("First 3, then 4", "4", which="only").reason == "2 numbers to choose from, expected 4"
    assert numeric("just 4", "4", which="only").value == 1.0


def test_tolerances_are_relative_to_the_expected_number_or_absolute() -> None:
    assert numeric("3.1", "3.14", abs_tol=0.05).value == 1.0
    assert numeric("3.1", "3.14", abs_tol=0.03).value == 0.0
    assert match_answer("101", ["100"], "numeric", rel_tol=0.01).value == 1.0
    assert match_answer("102", ["100"], "numeric", rel_tol=0.01).value == 0.0
    assert numeric("0.001", "0", rel_tol=1.0).value == 0.0


@pytest.mark.parametrize("expected", ["grey", "", "between 3 and 5"])
def test_an_expected_answer_without_one_number_is_named(expected: str) -> None:
    with pytest.raises(ValueError, match="needs an expected answer with one number"):
        numeric("3", expected)


def test_wrong_options_are_named() -> None:
    with pytest.raises(ValueError, match="must be 0 or more"):
        numeric("3", "3", abs_tol=-1.0)
    with pytest.raises(ValueError, match="must be 0 or more"):
        numeric("3", "3", rel_tol=float("nan"))
    with pytest.raises(ValueError, match="which is 'best'; it must be"):
        numeric("3", "3", which="best")  # type: ignore[arg-type]


@given(st.floats(-1e12, 1e12, allow_nan=False).map(lambda number: round(number, 3)))
def test_every_plain_number_is_found_in_a_sentence(number: float) -> None:
    assert numeric(f"It was {number:,.3f} kg.", f"{number:.3f}").value == 1.0


@given(ANY_TEXT)
def test_the_numbers_of_any_text_are_finite(text: str) -> None:
    assert all(abs(quantity.value) < float("inf") for quantity in quantities(prepare(text)))

"""The modes of `match_answer`: cases that tools have got wrong, and properties for any text."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heta_framework.common.text.matching import (
    Match,
    MatchMode,
    contains,
    exact,
    match_answer,
    normalised_exact,
    token_f1,
)

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("observed", "expected", "value"),
    [
        ("grey", "grey", 1.0),
        (" grey\n", "grey", 1.0),
        ("cafe\u0301", "café", 1.0),
        ("Grey", "grey", 0.0),
        ("grey.", "grey", 0.0),
        ("", "grey", 0.0),
    ],
)
def test_exact(observed: str, expected: str, value: float) -> None:
    assert exact(observed, expected).value == value


@pytest.mark.parametrize(
    ("observed", "expected", "value"),
    [
        ("The Grey!", "grey", 1.0),
        ("42!", "42", 1.0),
        ("(42)", "42", 1.0),
        ("(3.14)", "314", 0.0),
        ("(3.14)", "3.14", 1.0),
        ("20%", "20", 0.0),
        ("20 %", "20%", 1.0),
        ("½", "1/2", 1.0),
        ("−5", "-5", 1.0),
        ("5", "-5", 0.0),
        ("B", "A", 0.0),
        ("", "the", 0.0),
        ("", "!!!", 0.0),
        ("???", "!!!", 0.0),
        ("!!!", "!!!", 1.0),
        ("灰色 的 猫", "灰色的猫。", 1.0),
    ],
)
def test_normalised_exact(observed: str, expected: str, value: float) -> None:
    assert normalised_exact(observed, expected).value == value


@pytest.mark.parametrize(
    ("observed", "expected", "value"),
    [
        ("She has a grey cat.", "the grey cat", 1.0),
        ("not known", "no", 0.0),
        ("unknown", "no", 0.0),
        ("I do not know", "no", 0.0),
        ("No, never.", "no", 1.0),
        ("in 2010", "1", 0.0),
        ("3.14", "3.1", 0.0),
        ("3.14", "14", 0.0),
        ("10,000 people", "10", 0.0),
        ("1,000 people", "1000", 1.0),
        ("-5 degrees", "5", 0.0),
        ("about 20%", "20%", 1.0),
        ("about 20", "20%", 0.0),
        ("The answer is A.", "A", 1.0),
        ("This is a guess", "A", 0.0),
        ("cat grey", "grey cat", 0.0),
        ("她有一只灰色的猫。", "灰色的猫", 1.0),
        ("她有一只黑猫。", "灰", 0.0),
        ("บ้านแมวสีเทา", "แมว", 1.0),
        ("anything", "", 0.0),
        ("anything", "...", 0.0),
        ("", "", 1.0),
        ("I ❤️ you", "❤", 1.0),
    ],
)
def test_contains(observed: str, expected: str, value: float) -> None:
    assert contains(observed, expected).value == value


@pytest.mark.parametrize(
    ("observed", "expected", "value"),
    [
        ("grey cat", "the grey cat", 1.0),
        ("two grey cats", "grey cat", 0.4),
        ("grey grey", "grey", 2 / 3),
        ("black", "grey", 0.0),
        ("灰猫", "灰色的猫", 2 / 3),
        ("", "grey", 0.0),
        ("...", "", 0.0),
        ("", "", 1.0),
        ("3.14", "3 14", 0.0),
    ],
)
def test_token_f1(observed: str, expected: str, value: float) -> None:
    assert token_f1(observed, expected).value == pytest.approx(value)


def test_reasons_give_the_verdict() -> None:
    assert token_f1("grey grey", "grey").reason == "token F1 0.667"
    assert contains("a grey cat", "grey").reason == "contains 'grey'"
    assert contains("a black cat", "grey").reason == "does not contain 'grey'"
    assert exact("black", "grey").reason == "is not 'grey'"


def test_a_reason_is_short_and_safe_whatever_the_gold() -> None:
    reason = exact("x", "\ud800\n" + "y" * 10_000).reason
    assert len(reason) < 100
    assert "\n" not in reason
    reason.encode()


def test_the_best_of_several_expected_answers_wins() -> None:
    assert match_answer("a grey cat", ["black dog", "grey cat", "cat"], "token_f1") == Match(1.0, "token F1 1.000")
    assert match_answer("grey", ["black", "dark"], "exact").reason == "is not 'black'"


def test_a_single_expected_text_is_one_answer_and_not_a_list_of_letters() -> None:
    assert match_answer("g", "grey", "exact").value == 0.0
    assert match_answer("grey", "grey", "exact").value == 1.0


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("x", [], "exact"), {}, "needs at least one expected answer"),
        (("x", ["x"], "exakt"), {}, "match_mode 'exakt' is unknown; it must be one of exact, normalized_exact, "),
        (("x", ["x"], "exact"), {"timeout": 1.0}, "exact has no option 'timeout'; it has none"),
        (
            ("x", ["1"], "numeric"),
            {"timeout": 1.0},
            "numeric has no option 'timeout'; it knows rel_tol, abs_tol, which",
        ),
    ],
)
def test_wrong_use_is_named(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        match_answer(*arguments, **options)


@given(text=ANY_TEXT)
def test_every_text_matches_itself(text: str) -> None:
    for mode in ("exact", "normalized_exact", "contains", "token_f1"):
        assert match_answer(text, [text], mode).value == 1.0


@given(left=ANY_TEXT, right=ANY_TEXT)
def test_values_lie_between_0_and_1_and_f1_is_symmetric(left: str, right: str) -> None:
    f1 = token_f1(left, right).value
    assert 0.0 <= f1 <= 1.0
    assert token_f1(right, left).value == f1
    for mode in ("exact", "normalized_exact", "contains"):
        assert match_answer(left, [right], mode).value in (0.0, 1.0)


@given(left=ANY_TEXT, middle=ANY_TEXT.filter(str.strip), right=ANY_TEXT)
def test_equal_answers_are_contained_and_have_f1_of_1(left: str, middle: str, right: str) -> None:
    surrounded = f"{left} {middle} {right}"
    if normalised_exact(surrounded, middle).value == 1.0:
        assert contains(surrounded, middle).value == 1.0
        assert token_f1(surrounded, middle).value == 1.0


@given(observed=ANY_TEXT)
@example(observed="\U000116d0")  # a digit to newer versions of Unicode alone
def test_no_mode_fails_on_any_answer(observed: str) -> None:
    for mode in get_args(MatchMode):
        assert 0.0 <= match_answer(observed, ["7"], mode).value <= 1.0

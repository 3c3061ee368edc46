"""`AnswerContains` and `AnswerExactMatch`: what counts as the same, and that a refusal is no answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import answered

from heta_framework.evaluation import AnswerContains, AnswerExactMatch

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("the MARINE  bio of FISH", "Marine bio"),
        ("It was Paris, in May.", "paris"),
        ("About 1,200 crowns.", "1200"),
        ("No, she did not mention her age.", "no"),
        ("Yes.", "yes"),
        ("There is no information on the year. The capital is Paris.", "Paris"),
        ("Although the day is not mentioned, it was in May.", "May"),
        ("This is not mentioned in the sources.", "not mentioned"),
        ("There is insufficient information.", "Insufficient information."),
        ("首都は東京です", "東京"),
    ],
)
def test_an_answer_contains_it(answer: str, expected: str) -> None:
    verdict = answered(AnswerContains(), answer, "something else", expected)
    assert (verdict.value, verdict.passed) == (True, True)
    assert verdict.metadata == {"matched_answers": [expected]}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I do not know", "no"),
        ("No information available.", "no"),
        ("There is no mention of it in the documents.", "no"),
        ("I don't know whether it was Paris.", "Paris"),
        ("It is unknown if Ada or Ben did it.", "Ada"),
        ("In 2010", "1"),
        ("in 2010", "20"),
        ("an unknown parishioner", "paris"),
        ("3.14", "314"),
        ("-5 degrees", "5"),
        ("", "Paris"),
        (None, "Paris"),
    ],
)
def test_an_answer_does_not_contain_it(answer: str | None, expected: str) -> None:
    verdict = answered(AnswerContains(), answer or None, expected)
    assert (verdict.value, verdict.passed, verdict.metadata) == (False, False, {"matched_answers": []})


@given(ANY_TEXT.filter(str.strip), st.text(min_size=1).filter(str.strip))
def test_any_answer_gets_a_verdict_and_an_exact_match_is_contained(answer: str, expected: str) -> None:
    exact = answered(AnswerExactMatch("normalised"), answer, expected)
    assert not exact.value or answered(AnswerContains(), answer, expected).value
    assert answered(AnswerContains(), expected, expected).value
    assert answered(AnswerExactMatch(), expected, expected).value


@given(st.lists(st.sampled_from(["pier", "green", "3.5", "-2", "the", "and"]), min_size=1), st.text("xyz ", max_size=9))
def test_words_around_it_do_not_hide_it(words: list[str], around: str) -> None:
    expected = " ".join(["harbour", *words, "office"])
    assert answered(AnswerContains(), f"{around} {expected} {around}", expected).value is True


@pytest.mark.parametrize(
    ("answer", "expected", "plain", "normalised", "squad"),
    [
        ("  MARINE   life\n", "marine life", True, True, True),
        ("Straße", "STRASSE", True, True, False),
        ("Cafe\u0301", "café", True, True, False),
        ("It’s", "it's", True, True, False),
        ("Paris.", "Paris", False, True, True),
        ("the Beatles", "Beatles", False, True, True),
        ("well-known", "well known", False, True, False),
        ("well-known", "wellknown", False, False, True),
        ("3.14", "314", False, False, True),
        ("1,000", "1000", False, True, True),
        ("-5", "5", False, False, True),
        ("A", "a", True, True, True),
        ("!!!", "!!!", True, True, True),
        ("Paris, France", "Paris", False, False, False),
        (None, "Paris", False, False, False),
    ],
)
def test_what_an_exact_match_forgives(
    answer: str | None, expected: str, plain: bool, normalised: bool, squad: bool
) -> None:
    for rules, value in (("plain", plain), ("normalised", normalised), ("squad", squad)):
        verdict = answered(AnswerExactMatch(rules), answer, "another", expected)  # type: ignore[arg-type]
        assert (verdict.value, verdict.passed) == (value, value), rules
        assert verdict.metadata["matched_answers"] == [expected] * value


def test_an_exact_match_is_plain_unless_said_otherwise() -> None:
    assert AnswerExactMatch().name == "answer_exact_match"
    assert AnswerExactMatch("squad").name == "answer_exact_match_squad"
    with pytest.raises(ValueError, match="rules must be one of: plain, normalised, squad; found 'loose'"):
        AnswerExactMatch("loose")  # type: ignore[arg-type]

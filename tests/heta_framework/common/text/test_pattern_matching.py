"""Mode regex: patterns match, bad patterns are named, and no pattern can hang a run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.text.matching import match_answer
from heta_framework.common.text.pattern import regex_match

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("observed", "pattern", "value"),
    [
        ("a grey cat", "gr[ea]y", 1.0),
        ("a grey cat", "^gr[ea]y$", 0.0),
        ("Grey", "grey", 0.0),
        ("Grey", "(?i)grey", 1.0),
        ("2023-05-08", r"^\d{4}-\d{2}-\d{2}$", 1.0),
        ("猫", r"\p{Han}", 1.0),
        ("a\ud800b", "a.b", 1.0),
    ],
)
def test_a_pattern_is_searched_in_the_answer(observed: str, pattern: str, value: float) -> None:
    assert regex_match(observed, pattern).value == value


def test_reasons_name_the_pattern() -> None:
    assert match_answer("grey", ["^black$"], "regex").reason == "does not match '^black$'"
    assert match_answer("grey", ["^black$", "^g"], "regex").reason == "matches '^g'"


@pytest.mark.parametrize("pattern", ["(", "*", "[z-a]", "a{2}{3}**", "\\", "(?P<n", "(" * 5000 + ")" * 5000])
def test_an_invalid_pattern_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"match_mode regex: .* is no valid pattern: "):
        regex_match("grey", pattern)


def test_an_empty_pattern_is_refused_because_it_matches_everything() -> None:
    with pytest.raises(ValueError, match="the pattern is empty"):
        regex_match("grey", "")


@pytest.mark.parametrize(
    ("observed", "pattern"),
    [("a" * 40 + "!", "(a|a)*$"), ("a" * 60 + "!", "^(a|aa)+$"), ("ab" * 40 + "cd", "(a|b|ab)*c$")],
)
def test_a_catastrophic_pattern_stops(observed: str, pattern: str) -> None:
    with pytest.raises(TimeoutError, match=rf"took more than 0\.05 s on an answer of {len(observed)} characters"):
        regex_match(observed, pattern, timeout=0.05)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan")])
def test_a_timeout_must_be_positive(timeout: float) -> None:
    with pytest.raises(ValueError, match="it must be more than 0"):
        regex_match("grey", "grey", timeout=timeout)


def test_recursion_without_end_stops() -> None:
    with pytest.raises((TimeoutError, ValueError), match="match_mode regex: pattern"):
        regex_match("grey", "(?R)", timeout=0.05)


@settings(deadline=None)
@given(observed=ANY_TEXT, pattern=st.text("ab()[]{}|*+?^$.\\123", max_size=8))
def test_any_pattern_gives_a_verdict_or_a_named_error(observed: str, pattern: str) -> None:
    message = "match_mode regex: nothing wrong"
    try:
        assert regex_match(observed, pattern, timeout=0.05).value in (0.0, 1.0)
    except (ValueError, TimeoutError) as error:
        message = str(error)
    assert message.startswith("match_mode regex: ")

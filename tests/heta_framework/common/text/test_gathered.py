"""A value is told where all its content words stand near each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.text.gathered import SPREAD, content_tokens, is_short_number, tells, told_tokens


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("I owe 12300 dollars on two cards.", "$12,300", True),
        ("I owe $12,300.00 on two cards.", "12300", True),
        ("I owe $112,300 on two cards.", "$12,300", False),
        ("My last seizure was on 14 February 2026.", "2026-02-14", True),
        ("My last seizure was on 15 February 2026.", "2026-02-14", False),
        ("I take levetiracetam twice a day, 750 mg each.", "750 mg levetiracetam", True),
        ("I take levetiracetam twice a day.", "750 mg levetiracetam", False),
        ("Of EPILEPSY the temporal lobe kind.", "temporal lobe epilepsy", True),
        ("The lobe hurts. " + "We went on a long walk by the sea. " * 3 + "temporal", "temporal lobe", False),
        ("I sleep six hours.", "6", True),
        ("No one sleeps.", "1", False),
        ("a program of 40 hours", "Yes, forty-hour program", False),
        ("a program of 40 hour", "Yes, 40-hour program", True),
        ("a degree in engineering, chemical", "chemical engineering", True),
        ("New York", "New York New York", False),
        ("I am at the office", "of the", False),
        ("Anything at all", "...", False),
        ("", "penicillin", False),
        ("Ｐｅｎｉｃｉｌｌｉｎ, please", "penicillin", True),
    ],
)
def test_what_is_told(text: str, value: str, told: bool) -> None:
    assert tells(text, value) is told


def test_joining_words_count_only_where_there_is_nothing_else() -> None:
    assert content_tokens("the end of it") == ("end", "it")
    assert content_tokens("of the") == ("of", "the")
    assert content_tokens("$ %") == ()


_WORD = st.sampled_from(["alpha", "beta", "gamma", "delta", "12", "7.5"])


@given(
    st.lists(_WORD, max_size=16),
    st.lists(_WORD, min_size=1, max_size=2),
    st.sampled_from(["", "alphas", "alphas gamma delta"]),
)
def test_what_is_told_stands_in_one_window_of_the_right_width(text: list[str], value: list[str], beside: str) -> None:
    sought, company = list(content_tokens(" ".join(value))), [word.removesuffix("s") for word in beside.split()]
    width = SPREAD * (len(sought) + (max(2, len(company)) if company else 0))
    words = told_tokens(" ".join(text))
    windows = [words[start : start + width] for start in range(max(1, len(words) - width + 1))]
    expected = any(
        all(window.count(word) >= sought.count(word) for word in sought)
        and (not company or any(word in company for word in window))
        for window in windows
    )
    assert tells(" ".join(text), " ".join(value), beside) is expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("She goes to two therapy sessions a month.", True),
        ("Each session takes an hour, and there were 2.", True),
        ("She has two children.", False),
        ("Two children. " + "They go to school by bus and come home late. " * 2 + "She had a session.", False),
    ],
)
def test_a_short_number_needs_its_subject_beside_it(text: str, told: bool) -> None:
    assert tells(text, "2")
    assert tells(text, "2", beside="sessions attended") is told


def test_what_a_short_number_is() -> None:
    assert all(map(is_short_number, ("2", "seven", "7.5", "$850", "-24", "55%")))
    assert not any(map(is_short_number, ("1000", "2 weeks", "16:15", "", "AB")))

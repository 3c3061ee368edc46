"""Anchors: found in any spelling, never inside of another word, and told apart from their denial."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.text.anchors import affirms, held, holds
from heta_framework.common.text.calendar_dates import iso_dates


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("Her code word is VIOLET-72.", "violet-72"),
        ("Her code word is Violet 72!", "VIOLET-72"),
        ("It is ｖｉｏｌｅｔ\u200b-72", "violet-72"),
        ("She owes 12300 dollars", "12,300"),
        ("She owes $12,300.00", "12300"),
        ("on the 5th of January 2026", "2026-01-05"),
        ("on Jan. 5, 2026, at noon", "5 January 2026"),
        ("on 13/05/2026", "2026-05-13"),
        ("mail pay@example.org today", "pay@example.org"),
        ("Straße", "strasse"),
        ("Ada Byron's boat", "Ada Byron"),
        ("McDonald's and others", "McDonald's"),
        ("Zoe called", "Zoë"),
        ("Zoë called", "Zoe"),
        ("the Bluе Fаlcon", "Blue Falcon"),  # two letters are Cyrillic
        ("due on 12 May 2026", "12 May"),
        ("due on May 12th", "12 May"),
        ("due on 2026-05-12", "May 12"),
    ],
)
def test_an_anchor_is_found_in_any_spelling(text: str, anchor: str) -> None:
    assert holds(text, anchor)


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("card 4417", "17"),
        ("the code is 0417", "417"),
        ("a kiwifruit", "kiwi"),
        ("on 05/06/2026", "2026-06-05"),
        ("on 31 February 2026", "2026-02-28"),
        ("anything", "..."),
        ("", "x"),
        ("3.14", "314"),
        ("due on 12 June 2026", "12 May"),
        ("due on 12 May 2025", "12 May 2026"),
        ("привет", "npиbet"),
    ],
)
def test_an_anchor_is_not_found_in_something_else(text: str, anchor: str) -> None:
    assert not holds(text, anchor)


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("You are allergic to kiwi.", True),
        ("I have no record of a kiwi allergy.", False),
        ("I don't have anything about kiwi stored.", False),
        ("Your kiwi allergy was deleted on request.", False),
        ("Your kiwi allergy is no longer on file.", False),
        ("I have no record of nuts, but you did tell me about kiwi.", True),
        ("There is no doubt: you are allergic to kiwi.", True),
        ("Not only kiwi, also nuts.", True),
        ("I never heard of nuts. Kiwi is on your list.", True),
        ("Nothing.\nKiwi", True),
        ("No, it was kiwi.", True),
        ("No, never kiwi.", False),
        ("Don't hesitate to buy kiwi.", True),
        ("Do not worry, kiwi is fine.", True),
    ],
)
def test_a_denied_anchor_is_held_and_not_affirmed(text: str, affirmed: bool) -> None:
    assert holds(text, "kiwi")
    assert affirms(text, "kiwi") is affirmed


def test_text_of_blanks_or_marks_alone_is_no_burden() -> None:
    assert not affirms(" " * 200_000 + "x", "kiwi")
    assert not holds("\u0301" * 100_000, "kiwi")


def test_anchors_come_back_in_their_order() -> None:
    assert held("Ben has nuts, not kiwi", ["kiwi", "figs", "nuts"]) == ["kiwi", "nuts"]
    assert held("Ben has nuts, not kiwi", ["kiwi", "figs", "nuts"], affirmed=True) == ["nuts"]


@pytest.mark.parametrize(
    "written", ["2026-1-5", "2026/01/05", "5 Jan 2026", "January 5th, 2026", "5th of january 2026"]
)
def test_dates_are_written_one_way(written: str) -> None:
    assert iso_dates(f"on {written}, she said") == "on 2026-01-05, she said"


@given(st.text(), st.text())
def test_what_is_affirmed_is_held(text: str, anchor: str) -> None:
    if affirms(text, anchor):
        assert holds(text, anchor)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8), st.text(max_size=20))
def test_a_word_is_found_between_others(word: str, around: str) -> None:
    if holds(word, word) and word.lower() not in ("a", "an", "the"):
        assert holds(f"{around} , {word} , {around}", word)

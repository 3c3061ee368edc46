"""Expressions of time are found, resolved against the day they were said on, and written as people write them."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.agents.extraction import periods
from heams.agents.extraction.dates import mentions

WEDNESDAY = date(2023, 5, 31)


def names(text: str, day: date | None = WEDNESDAY) -> list[str]:
    return [mention.name for mention in mentions(text, day)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday I swam in the lake.", "30 May 2023"),
        ("We landed last night.", "30 May 2023"),
        ("I baked this morning!", "31 May 2023"),
        ("The day before yesterday it hailed.", "29 May 2023"),
        ("They arrive the day after tomorrow.", "2 June 2023"),
        ("The concert is tomorrow.", "1 June 2023"),
        ("Three days ago we moved.", "28 May 2023"),
        ("We met 10 days ago.", "21 May 2023"),
        ("A few days ago I slipped.", "a few days before 31 May 2023"),
        ("Last week the roof leaked.", "the week before 31 May 2023"),
        ("The roofer comes next week.", "the week after 31 May 2023"),
        ("I am off this week.", "the week of 31 May 2023"),
        ("Two weeks ago I quit.", "two weeks before 31 May 2023"),
        ("A couple of weeks ago I quit.", "two weeks before 31 May 2023"),
        ("This past weekend was grand.", "the weekend before 31 May 2023"),
        ("Last Friday we danced.", "the Friday before 31 May 2023"),
        ("We danced last Tues.", "the Tuesday before 31 May 2023"),
        ("On Monday I fixed the bike.", "the Monday before 31 May 2023"),
        ("On Monday I will fix the bike.", "the Monday after 31 May 2023"),
        ("See you next Sunday!", "the Sunday after 31 May 2023"),
        ("Last month I turned forty.", "April 2023"),
        ("I sail next month.", "June 2023"),
        ("It opened three months ago.", "February 2023"),
        ("It closed last August.", "August 2022"),
        ("We wed in March.", "March 2023"),
        ("Last year I sang.", "2022"),
        ("Five years ago I sang.", "2018"),
        ("A year ago I sang.", "May 2022"),
        ("Last summer we camped.", "summer 2022"),
        ("Next summer we camp.", "summer 2023"),
        ("On June 3rd we leave.", "3 June 2023"),
        ("We left on the 15th.", "15 May 2023"),
        ("It was 7 May 2021.", "7 May 2021"),
        ("It was May 7th, 2021.", "7 May 2021"),
        ("Logged 2021-05-07.", "7 May 2021"),
        ("Founded in 1998.", "1998"),
        ("I play since June 2019.", "June 2019"),
        ("In the summer of 2020 it burnt.", "summer 2020"),
    ],
)
def test_an_expression_is_resolved(text: str, expected: str) -> None:
    assert names(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "I may go, and he marched on.",
        "This may be fun.",
        "We were on fire and on time.",
        "My nightly flight is UA 2077.",
        "A thing of the past.",
        "It cost 2000 crowns.",
        "",
    ],
)
def test_what_only_looks_like_a_time_is_left_alone(text: str) -> None:
    assert names(text) == []


def test_without_a_day_relative_expressions_keep_their_words_and_dates_are_still_dates() -> None:
    assert names("Last Friday, after 3 June 2020, we sang.", None) == ["Last Friday", "3 June 2020"]


def test_a_day_that_no_month_has_is_not_invented() -> None:
    assert "31 June" not in " ".join(names("It was 31 June 2020."))


def test_a_sentence_may_name_several_times() -> None:
    assert names("I came last week and leave on Friday, not in July.") == [
        "the week before 31 May 2023",
        "the Friday after 31 May 2023",
        "July 2023",
    ]


@given(day=st.dates(), offset=st.integers(-200_000, 200_000))
def test_months_are_counted_over_year_ends(day: date, offset: int) -> None:
    total = day.year * 12 + day.month - 1 + offset
    found = periods.month_of(day.year, day.month, offset)
    if not date.min.year * 12 <= total < (date.max.year + 1) * 12:
        assert found is None
        return
    assert found is not None
    assert (found.first.year, found.first.month, found.first.day) == (total // 12, total % 12 + 1, 1)
    assert found.last.month == found.first.month
    assert found.last == date.max or (found.last + timedelta(days=1)).day == 1


@given(day=st.dates(), number=st.integers(1, 12), unit=st.sampled_from(["day", "week", "weekend", "month", "year"]))
def test_what_was_so_long_ago_lies_before_and_what_is_to_come_lies_after(day: date, number: int, unit: str) -> None:
    past, future = periods.ago(day, number, unit), periods.ago(day, -number, unit)
    assert past is None or past.first < day
    assert future is None or future.last > day


@given(day=st.dates(), weekday=st.integers(0, 6), direction=st.sampled_from([-1, 1]))
def test_a_weekday_is_within_a_week_and_never_the_day_itself(day: date, weekday: int, direction: int) -> None:
    found = periods.near_weekday(day, weekday, direction)
    if found is not None:
        assert found.first.weekday() == weekday
        assert 1 <= direction * (found.first - day).days <= 7


@given(
    day=st.dates(min_value=date(2, 1, 1), max_value=date(9990, 1, 1)),
    month=st.integers(1, 12),
    number=st.integers(1, 28),
)
def test_the_nearest_day_with_a_date_is_at_most_half_a_year_away(day: date, month: int, number: int) -> None:
    found = periods.nearest_day(day, month, number)
    assert found is not None
    assert (found.first.month, found.first.day) == (month, number)
    assert abs((found.first - day).days) <= 184


_PIECES = [
    *["last", "next", "this", "past", "on", "in", "ago", "a", "few", "two", "31", "0", "99", "2023", "9999", "1500"],
    *[
        "day",
        "week",
        "weekends",
        "months",
        "year",
        "Friday",
        "may",
        "Feb",
        "summer",
        "winter",
        "yesterday",
        "the",
        "15th",
    ],
    *["ſunday", "weeK", ",", "-", "of", "from now", "tomorrow", "before", "after"],
]


@given(
    pieces=st.lists(st.sampled_from(_PIECES), max_size=25),
    day=st.sampled_from([None, date.min, date.max, date(2024, 2, 29), WEDNESDAY]),
)
def test_any_mixture_is_read_without_error_and_mentions_do_not_overlap(pieces: list[str], day: date | None) -> None:
    text = " ".join(pieces)
    found = mentions(text, day)
    assert all(mention.words == text[mention.start : mention.end] for mention in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(mention.period is None or mention.period.first <= mention.period.last for mention in found)

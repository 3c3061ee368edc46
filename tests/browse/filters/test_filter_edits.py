"""Clicks on facets as edits of the filter's text."""

import pytest

from heams.browse.filters import FilterError, with_range, with_term, without, without_value


@pytest.mark.parametrize(
    ("text", "field", "value", "after"),
    [
        ("", "verdict", "fail", "verdict:fail"),
        ("Paris", "verdict", "fail", "Paris verdict:fail"),
        ("verdict:fail Paris", "verdict", "pass", "verdict:fail,pass Paris"),
        ("verdict:fail", "verdict", "fail", "verdict:fail"),
        ("-verdict:fail", "verdict", "pass", "-verdict:fail verdict:pass"),
        ("a OR b", "verdict", "pass", "(a OR b) verdict:pass"),
        ("", "tag.kind", "two words", 'tag.kind:"two words"'),
        ("", 'tag."my kind"', "x", 'tag."my kind":x'),
        ("", "tag.my kind", "x", 'tag."my kind":x'),
        ("", "criterion", None, "criterion:none"),
        ("", "criterion", "none", 'criterion:"none"'),
        ("", "passed", True, "passed:true"),
        ("", "repeat", 2, "repeat:2"),
        ("", "history", 'a"b*', r'history:"a\"b*"'),
    ],
)
def test_a_value_is_chosen(text: str, field: str, value: str | float | None, after: str) -> None:
    assert with_term(text, field, value) == after


def test_a_choice_can_be_taken_back() -> None:
    assert without_value("verdict:fail,pass Paris", "verdict", "fail") == "verdict:pass Paris"
    assert without_value("verdict:pass Paris", "verdict", "pass") == "Paris"
    assert without_value("tag.kind:Temporal", "tag.kind", "temporal") == ""
    assert without_value("-verdict:pass", "verdict", "pass") == "-verdict:pass"


def test_a_field_is_forgotten_where_it_stands_alone() -> None:
    assert without("verdict:fail -verdict:pass value<1", "verdict") == "value<1"
    assert without("(verdict:fail OR Paris) verdict:fail", "verdict") == "verdict:fail OR Paris"
    assert without("tag.a:1 tag.b:2", "tag.a") == "tag.b:2"


def test_a_range_takes_the_place_of_the_field() -> None:
    assert with_range("value<0.5 Paris", "value", 0.25, 0.5) == "Paris value>=0.25 value<0.5"
    assert with_range("", "value", 0.95, 1.0, closed=True) == "value>=0.95 value<=1"
    assert with_range("value:1", "value", None, None) == ""


@pytest.mark.parametrize("field", ["verdit", "tag", "name.part"])
def test_unknown_fields_are_refused(field: str) -> None:
    with pytest.raises(FilterError):
        with_term("", field, "x")

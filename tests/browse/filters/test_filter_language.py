"""The filter language: what a text means, that it can be written back, and where it says what is wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.browse.filters import EVERYTHING, FIELDS, Filter, FilterError, parse, to_text
from heams.browse.filters.parsing import MAX_DEPTH
from heams.browse.filters.syntax import (
    AllOf,
    AnyOf,
    FieldRef,
    Literal,
    Missing,
    Not,
    Number,
    Operator,
    Regex,
    Term,
    Value,
    Wildcard,
)

TRICKY = st.text(alphabet='ab"\\/:,<>=!~()-*. \nÉOR', max_size=6)
BARE = st.text(alphabet="abé*", min_size=1, max_size=5)
PATTERNS = st.sampled_from(["a", "^a/b$", r"\d+ \(x\)", 'a"b', r"a\\/", "[/]", ""])


def _values(name: str, operator: Operator) -> st.SearchStrategy[Value]:
    field = FIELDS[name]
    equality = operator in (Operator.EQUALS, Operator.DIFFERS)
    missing = [st.just(Missing())] if field.may_miss and equality else []
    if field.kind == "number":
        return st.one_of(st.floats(allow_nan=False, allow_infinity=False).map(Number), *missing)
    if field.kind == "choice":
        return st.one_of(st.sampled_from(field.choices).map(Literal), *missing)
    wild = BARE.filter(lambda text: "*" in text).map(Wildcard)
    return st.one_of(TRICKY.map(Literal), *missing, wild if equality else PATTERNS.map(Regex))


@st.composite
def terms(draw: st.DrawFn) -> Term:
    name = draw(st.sampled_from(sorted(FIELDS)))
    operator = draw(st.sampled_from(FIELDS[name].operators))
    most = 3 if operator in (Operator.EQUALS, Operator.DIFFERS, Operator.CONTAINS) else 1
    values = draw(st.lists(_values(name, operator), min_size=1, max_size=most))
    return Term(FieldRef(name, draw(TRICKY) if name == "tag" else None), operator, tuple(values))


def _combined(inner: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(several.map(AllOf), several.map(AnyOf), inner.map(Not))


FILTERS = st.recursive(terms(), _combined, max_leaves=6)


@settings(max_examples=60)
@given(FILTERS)
def test_a_filter_survives_being_written(filter_: Filter) -> None:
    assert parse(to_text(filter_)) == filter_


@given(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(
    ["verdict", "value", "tag.a", ":", "<", "~", "/", '"', "(", ")", "-", " ", ",", "OR", "NOT", "pass", "0.5", "*"]
), max_size=12).map("".join)))  # fmt: skip
def test_every_text_is_a_filter_or_an_error_with_its_place(text: str) -> None:
    found = _parsed(text)
    if isinstance(found, FilterError):
        assert 0 <= found.start <= found.end <= len(text)
    else:
        assert parse(to_text(found)) == found


def _parsed(text: str) -> Filter | FilterError:
    try:
        return parse(text)
    except FilterError as error:
        return error


def test_the_usual_filter() -> None:
    assert parse('outcome:scored value<0.5 tag.category:temporal text~"New Paris"') == AllOf((
        Term(FieldRef("outcome"), Operator.EQUALS, (Literal("scored"),)),
        Term(FieldRef("value"), Operator.LESS, (Number(0.5),)),
        Term(FieldRef("tag", "category"), Operator.EQUALS, (Literal("temporal"),)),
        Term(FieldRef("text"), Operator.CONTAINS, (Literal("New Paris"),)),
    ))  # fmt: skip


def test_or_binds_weaker_than_and_and_minus_binds_strongest() -> None:
    assert parse("a b OR -c") == parse("(a AND b) OR (NOT c)")
    assert parse("a (b OR c)") != parse("a b OR c")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Verdict:PASS", "verdict:pass"),
        ("value = 0.5", "value:0.5"),
        ("verdict:pass, fail", "verdict:pass,fail"),
        ("value <= 1e-3", "value<=0.001"),
        ('Paris', 'text~"Paris"'),
        ("  ", ""),
        ("10:30", '"10:30"'),
        ("well-known", '"well-known"'),
    ],
)  # fmt: skip
def test_ways_of_writing_the_same(text: str, same: str) -> None:
    assert parse(text) == parse(same)


def test_quotes_take_away_every_special_meaning() -> None:
    assert parse("history:none") != parse('history:"none"')
    assert parse('name:"a*"') == Term(FieldRef("name"), Operator.EQUALS, (Literal("a*"),))
    assert parse('name~"/a/"') == Term(FieldRef("name"), Operator.CONTAINS, (Literal("/a/"),))
    assert parse('"OR"') == Term(FieldRef("text"), Operator.CONTAINS, (Literal("OR"),))
    assert parse(r'"say \"a\\b\""') == Term(FieldRef("text"), Operator.CONTAINS, (Literal(r'say "a\b"'),))


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "-a", "a:b", "a b", "", "(", "<"])
def test_words_that_would_mean_more_are_quoted(word: str) -> None:
    filter_ = Term(FieldRef("text"), Operator.CONTAINS, (Literal(word),))
    assert to_text(filter_) == f'"{word}"'
    assert parse(f'"{word}"') == filter_


def test_nothing_written_is_everything() -> None:
    assert parse("") == EVERYTHING
    assert to_text(EVERYTHING) == ""


@pytest.mark.parametrize(
    ("text", "marked", "nearest"),
    [
        ("a verdct:fail", "verdct", "verdict"),
        ("verdict:pass,fial", "fial", "fail"),
        ("tag.catgory:x", "tag.catgory", "category"),
        ("tag:x", "tag", None),
        ("name.part:x", "name.part", None),
        ("value<abc", "abc", None),
        ("value:1e999", "1e999", None),
        ("value~0.5", "~", None),
        ("value<1,2", ",", None),
        ("a (b OR c", "(", None),
        ("a OR b)", ")", None),
        ("a AND OR", "OR", None),
        ("a OR", "", None),
        ("verdict:", "", None),
        ("<5", "<", None),
        ('a "b c', '"b c', None),
        ("name~/a", "/a", None),
        ("name~/(/", "/(/", None),
        (r"name~/(a)\1/", r"/(a)\1/", None),
        ("https://example.org", "https", None),
        ("a\ud800", "\ud800", None),
    ],
)
def test_errors_underline_what_is_meant(text: str, marked: str, nearest: str | None) -> None:
    with pytest.raises(FilterError) as caught:
        parse(text, tags=["category", "conversation"])
    assert text[caught.value.start : caught.value.end] == marked
    assert caught.value.nearest == nearest
    assert f"(at character {caught.value.start + 1})" in str(caught.value)


def test_errors_name_what_is_allowed() -> None:
    with pytest.raises(FilterError) as caught:
        parse("verdict:maybe")
    assert caught.value.allowed[:3] == ("pass", "partial", "fail")
    assert caught.value.found == "maybe"


@pytest.mark.parametrize("nested", ["{}Paris", "{}value<0.5"])
def test_as_much_nesting_as_is_allowed_can_be_used(nested: str) -> None:
    assert parse(nested.format("-" * MAX_DEPTH))
    with pytest.raises(FilterError, match="nested 40 deep"):
        parse(nested.format("-" * (MAX_DEPTH + 1)))


@pytest.mark.parametrize("text", ["(" * 3_000, "-" * 3_000, "NOT " * 900, "a" * 4_001])
def test_what_is_too_deep_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(FilterError, match=r"nested|at most"):
        parse(text)

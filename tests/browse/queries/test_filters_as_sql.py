"""Filters as SQL: they find what reading every row by hand finds, and no value becomes part of the statement."""

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heams.browse.filters import FIELDS, Filter, condition_of, parse, to_text
from heams.browse.filters.syntax import (
    AllOf,
    AnyOf,
    Everything,
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
from heams.browse.queries import Label, LabelKey, Metric, SampleRow, Selection, sample_page
from heams.browse.queries.page import counted_keys
from heams.reporting.tables import Tables

SEARCHED = ("name", "expected", "observed", "reason")
TEXTS = (
    "paris",
    "Paris",
    "none",
    "",
    "%",
    "_",
    "a_b",
    "É",
    "s1",
    "h1",
    "history h1",
    "temporal",
    "two words",
    "0",
    "slow",
)
NUMBERS = (0.0, 0.15, 0.5, 1.0, 2.0, 7.0)
LABELS: dict[LabelKey, Label] = {
    LabelKey("s1", 0, 0): "pass",
    LabelKey("s2", 1, 1): "fail",
    LabelKey("s3", 1, None): "fail",
}
COMPARED: dict[Operator, Callable[[float, float], bool]] = {
    Operator.EQUALS: lambda one, other: one == other,
    Operator.DIFFERS: lambda one, other: one == other,
    Operator.LESS: lambda one, other: one < other,
    Operator.AT_MOST: lambda one, other: one <= other,
    Operator.MORE: lambda one, other: one > other,
    Operator.AT_LEAST: lambda one, other: one >= other,
}


def _by_hand(filter_: Filter, row: SampleRow) -> bool:
    match filter_:
        case Everything():
            return True
        case AllOf(parts):
            return all(_by_hand(part, row) for part in parts)
        case AnyOf(parts):
            return any(_by_hand(part, row) for part in parts)
        case Not(inner):
            return not _by_hand(inner, row)
        case Term(field, operator, values):
            refs = [FieldRef(name) for name in SEARCHED] if field.name == "text" else [field]
            found = any(_applies(row.cell(ref), operator, value) for ref in refs for value in values)
            return found != (operator is Operator.DIFFERS)


def _applies(cell: object, operator: Operator, value: Value) -> bool:
    text = str(cell).lower() if isinstance(cell, bool | str) else ""
    match value:
        case Missing():
            return cell is None
        case _ if cell is None:
            return False
        case Number(number):
            assert isinstance(cell, int | float)
            return COMPARED[operator](cell, number)
        case Regex(pattern):
            return re.search(pattern, text, re.IGNORECASE) is not None
        case Wildcard(pattern):
            return re.fullmatch(translate(pattern.lower()), text) is not None
        case Literal(wanted):
            return wanted.lower() in text if operator is Operator.CONTAINS else wanted.lower() == text


@st.composite
def terms(draw: st.DrawFn) -> Term:
    field = FIELDS[draw(st.sampled_from(sorted(FIELDS)))]
    operator = draw(st.sampled_from(field.operators))
    ref = FieldRef(
        field.name, draw(st.sampled_from(["kind", "my tag", "criterion", "'"])) if field.name == "tag" else None
    )
    return Term(ref, operator, tuple(draw(st.lists(_values(field.name, operator), min_size=1, max_size=2))))


def _values(name: str, operator: Operator) -> st.SearchStrategy[Value]:
    field = FIELDS[name]
    equality = operator in (Operator.EQUALS, Operator.DIFFERS)
    missing = [st.just(Missing())] if field.may_miss and equality else []
    if field.kind == "number":
        return st.one_of(st.sampled_from(NUMBERS).map(Number), *missing)
    if field.kind == "choice":
        return st.one_of(st.sampled_from(field.choices).map(Literal), *missing)
    wild = st.sampled_from(["*", "p*s", "*%*", "*_b", "s*"]).map(Wildcard)
    regex = st.sampled_from(["^par", "s$", "[0-9]+%", "a.b"]).map(Regex)
    return st.one_of(st.sampled_from(TEXTS).map(Literal), wild if equality else regex, *missing)


FILTERS = st.recursive(
    terms(),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AllOf(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        inner.map(Not),
    ),
    max_leaves=4,
)


@cache
def _everything(tables: Tables) -> Sequence[SampleRow]:
    return sample_page(tables, Selection(None, labels=LABELS), size=100).rows


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filter_=FILTERS)
def test_filters_find_what_reading_every_row_finds(tables: Tables, filter_: Filter) -> None:
    found, total = counted_keys(tables, Selection(None, filter_, LABELS), (), 100)
    assert found == [(row.position, row.place) for row in _everything(tables) if _by_hand(filter_, row)]
    assert total == len(found)


@pytest.mark.parametrize("text", ["'; DROP TABLE records; --", '" OR 1=1', "\x00", "%", "$f0", "{source}", "{order}"])
def test_values_are_bound_and_never_part_of_the_statement(tables: Tables, f1: Metric, text: str) -> None:
    filter_ = AllOf(
        tuple(Term(FieldRef(*name), Operator.EQUALS, (Literal(text),)) for name in (("name",), ("tag", text)))
    )
    condition = condition_of(filter_)
    assert text not in condition.sql or text in ("%", "$f0")
    assert set(condition.parameters.values()) == {text}
    assert parse(to_text(filter_)) == filter_
    assert sample_page(tables, Selection(f1, filter_)).total == 0


@pytest.mark.parametrize(
    ("text", "samples"),
    [
        ("value<0.5 verdict:partial", {"s0", "s2", "s3", "s4", "s10"}),
        ("tag.kind:temporal value:1", {"s1", "s9"}),
        ("error~timeout", {"s0", "s4", "s8"}),
        ("label:fail", {"s2", "s3"}),
        ("sample:S1", {"s1"}),
        ("sample:S1*", {"s1", "s10", "s11"}),
        ("sample~S1", {"s1", "s10", "s11"}),
        ("name:p_ris*", set()),
        ("expected:100%*", {"s1", "s4", "s8", "s11"}),
        ("expected:%*", set()),
    ],
)
def test_some_filters(tables: Tables, f1: Metric, text: str, samples: set[str]) -> None:
    found = sample_page(tables, Selection(f1, parse(text), LABELS))
    assert {row.sample for row in found.rows} == samples


def test_a_record_without_a_score_has_no_value(tables: Tables, f1: Metric) -> None:
    found = sample_page(tables, Selection(f1, parse("value:none")))
    assert {row.outcome for row in found.rows} == {"error", "unscored", "skipped"}
    assert found.total + sample_page(tables, Selection(f1, parse("value>=0"))).total == 24

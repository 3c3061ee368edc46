"""Writes a filter as text, so that ``parse`` gives back an equal one."""

import re

from heams.browse.filters.fields import TAG, TEXT
from heams.browse.filters.syntax import (
    AllOf,
    AnyOf,
    Everything,
    FieldRef,
    Filter,
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
from heams.browse.filters.values import MISSING

_BARE_VALUE = re.compile(r'[^\s()",*]+')
_BARE_WORD = re.compile(r'[^\s()":<>=!~-][^\s()":<>=!~]*')
_BARE_TAG = re.compile(r'[^\s:<>=!~(),"]+')
_KEYWORDS = ("AND", "OR", "NOT")


def to_text(filter_: Filter) -> str:
    """The filter as text; the empty text for everything."""
    match filter_:
        case Everything():
            return ""
        case AnyOf(parts):
            return " OR ".join(_inside(part, AnyOf) for part in parts)
        case AllOf(parts):
            return " ".join(_inside(part, AnyOf, AllOf) for part in parts)
        case Not(inner):
            return f"-{_inside(inner, AnyOf, AllOf)}"
        case Term():
            return _term(filter_)


def field_text(field: FieldRef) -> str:
    """The name of a field as it is written."""
    if field.tag is None:
        return field.name
    return f"{TAG}.{field.tag if _BARE_TAG.fullmatch(field.tag) else quoted(field.tag)}"


def value_text(value: Value, operator: Operator = Operator.EQUALS) -> str:
    """A value as it is written after ``operator``."""
    match value:
        case Missing():
            return MISSING
        case Number(number):
            return repr(int(number) if number.is_integer() and abs(number) < 1e15 else number)
        case Wildcard(text):
            return text
        case Regex(pattern):
            return "/" + re.sub(r"\\.|/", lambda found: "\\/" if found[0] == "/" else found[0], pattern) + "/"
        case Literal(text):
            return text if _BARE_VALUE.fullmatch(text) and not _means_more(text, operator) else quoted(text)


def quoted(text: str) -> str:
    """``text`` in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _inside(filter_: Filter, *enclosed: type[Filter]) -> str:
    text = to_text(filter_)
    return f"({text})" if isinstance(filter_, enclosed) else text


def _term(term: Term) -> str:
    if term.field.name == TEXT and term.operator is Operator.CONTAINS and len(term.values) == 1:
        (value,) = term.values
        if isinstance(value, Literal):
            return _word(value.text)
    values = ",".join(value_text(value, term.operator) for value in term.values)
    return f"{field_text(term.field)}{term.operator}{values}"


def _word(text: str) -> str:
    return text if _BARE_WORD.fullmatch(text) and text not in _KEYWORDS else quoted(text)


def _means_more(text: str, operator: Operator) -> bool:
    return text == MISSING or (operator is Operator.CONTAINS and text.startswith("/"))

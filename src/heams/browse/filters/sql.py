"""Turns a filter into an SQL condition in which every value is bound, never written into the statement."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heams.browse.filters.expressions import EXPRESSIONS, SEARCHED, Expression, Parameters, Source, expression_of
from heams.browse.filters.fields import FIELDS, TEXT
from heams.browse.filters.syntax import (
    AllOf,
    AnyOf,
    Everything,
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

_LIKE = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_", "*": "%"})
_COMPARED: Mapping[Operator, str] = {
    Operator.EQUALS: "=",
    Operator.DIFFERS: "=",
    Operator.LESS: "<",
    Operator.AT_MOST: "<=",
    Operator.MORE: ">",
    Operator.AT_LEAST: ">=",
}
"""``!=`` is the opposite of a whole term, so it compares as ``:`` does."""


@dataclass(frozen=True, slots=True)
class Condition:
    """An SQL condition over ``r``, ``s`` and ``l``, its parameters, and the tables that it needs.

    It is true or false for each row, never NULL.
    """

    sql: str
    parameters: Mapping[str, object]
    sources: frozenset[Source]


def condition_of(filter_: Filter) -> Condition:
    """The condition that a filter stands for."""
    parameters = Parameters("f")
    sources: set[Source] = set()
    sql = _condition(filter_, parameters, sources)
    return Condition(sql, parameters.values, frozenset(sources))


def _condition(filter_: Filter, parameters: Parameters, sources: set[Source]) -> str:
    match filter_:
        case Everything():
            return "true"
        case AllOf(parts):
            return _joined(" AND ", (_condition(part, parameters, sources) for part in parts))
        case AnyOf(parts):
            return _joined(" OR ", (_condition(part, parameters, sources) for part in parts))
        case Not(inner):
            return f"(NOT {_condition(inner, parameters, sources)})"
        case Term():
            return _term(filter_, parameters, sources)


def _joined(separator: str, parts: Iterable[str]) -> str:
    return f"({separator.join(parts)})"


def _term(term: Term, parameters: Parameters, sources: set[Source]) -> str:
    expressions = _expressions(term, parameters)
    sources.update(expression.source for expression in expressions)
    tests = [_test(one.sql, term, value, parameters) for one in expressions for value in term.values]
    found = f"coalesce({' OR '.join(tests)}, false)"
    return f"(NOT {found})" if term.operator is Operator.DIFFERS else found


def _expressions(term: Term, parameters: Parameters) -> list[Expression]:
    if term.field.name == TEXT:
        return [EXPRESSIONS[name] for name in SEARCHED]
    return [expression_of(term.field, parameters)]


def _test(sql: str, term: Term, value: Value, parameters: Parameters) -> str:
    """One value; NULL where the field has none, unless that is what was asked."""
    match value:
        case Missing():
            return f"{sql} IS NULL"
        case Number(number):
            return f"{sql} {_COMPARED[term.operator]} {parameters.bind(number)}"
        case Regex(pattern):
            return f"regexp_matches({sql}, {parameters.bind(pattern)}, 'i')"
        case Wildcard(text):
            return f"{sql} ILIKE {parameters.bind(text.translate(_LIKE))} ESCAPE '\\'"
        case Literal(text) if FIELDS[term.field.name].kind == "choice":
            return f"{sql} = {parameters.bind(text)}"
        case Literal(text) if term.operator is Operator.CONTAINS:
            return f"contains(lower({sql}), lower({parameters.bind(text)}))"
        case Literal(text):
            return f"lower({sql}) = lower({parameters.bind(text)})"

"""Reads the values of a term: what a token means for the field and the operator that it follows."""

import math
import re

from heams.browse.filters.errors import FilterError
from heams.browse.filters.fields import Field
from heams.browse.filters.regexes import problem_of
from heams.browse.filters.syntax import Literal, Missing, Number, Operator, Regex, Value, Wildcard
from heams.browse.filters.tokens import Token
from heta_framework.common.config import nearest

MISSING = "none"
"""How it is written that a field has no value; quoted, it is text like any other."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_EQUALITY = (Operator.EQUALS, Operator.DIFFERS)


def read_value(field: Field, operator: Operator, token: Token) -> Value:
    """The value that ``token`` stands for.

    Raises:
        FilterError: it is no value of ``field``.
    """
    if field.may_miss and operator in _EQUALITY and token.text == MISSING and not token.quoted:
        return Missing()
    if field.kind == "number":
        return _number(field, token)
    if field.kind == "choice":
        return _choice(field, token)
    return _regex(token) if token.regex else _text(operator, token)


def _number(field: Field, token: Token) -> Number:
    number = float(token.text) if _NUMBER.fullmatch(token.text) else math.nan
    if not math.isfinite(number):
        problem = f"{field.name} is compared with numbers like 0.5, found '{token.text}'"
        raise FilterError(problem, token.start, token.end, found=token.text)
    return Number(number)


def _choice(field: Field, token: Token) -> Literal:
    name = token.text.lower()
    if name not in field.choices:
        allowed = (*field.choices, MISSING) if field.may_miss else field.choices
        problem = f"{field.name} is never '{token.text}'"
        near = nearest(token.text, allowed)
        raise FilterError(problem, token.start, token.end, found=token.text, allowed=allowed, nearest=near)
    return Literal(name)


def _regex(token: Token) -> Regex:
    problem = problem_of(token.text)
    if problem is not None:
        wording = f"'{token.text}' is no regular expression of RE2: {problem}"
        raise FilterError(wording, token.start, token.end, found=token.text)
    return Regex(token.text)


def _text(operator: Operator, token: Token) -> Literal | Wildcard:
    wild = "*" in token.text and not token.quoted and operator in _EQUALITY
    return Wildcard(token.text) if wild else Literal(token.text)

"""Understands the text of a filter: ``outcome:scored value<0.5 -(tag.category:temporal OR Paris)``.

any  = all { "OR" all }
all  = unary { [ "AND" ] unary }
unary = ( "-" | "NOT" ) unary | "(" any ")" | term
term = field operator value { "," value } | word
"""

import re
from collections.abc import Collection

from heams.browse.filters.errors import FilterError
from heams.browse.filters.fields import FIELDS, NAMES, TAG, TEXT, Field
from heams.browse.filters.syntax import (
    EVERYTHING,
    AllOf,
    AnyOf,
    FieldRef,
    Filter,
    Literal,
    Not,
    Operator,
    Term,
    Value,
)
from heams.browse.filters.tokens import Kind, Token, tokens
from heams.browse.filters.values import read_value
from heta_framework.common.config import nearest

MAX_LENGTH = 4_000
"""Characters that a filter may have."""
MAX_DEPTH = 40
"""How deep parentheses and negations may be nested."""
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_NEGATIONS = (Kind.MINUS, Kind.NOT)


def parse(text: str, *, tags: Collection[str] | None = None) -> Filter:
    """The filter that ``text`` stands for; the empty text stands for everything.

    ``tags`` are the names of the tags that there are; None accepts every name.

    Raises:
        FilterError: the text is no filter. It says where and why.
    """
    if len(text) > MAX_LENGTH:
        problem = f"a filter has at most {MAX_LENGTH:,} characters, found {len(text):,}"
        raise FilterError(problem, MAX_LENGTH, len(text))
    half = _HALF_CHARACTER.search(text)
    if half:
        raise FilterError("half a character (a lone surrogate) stands for nothing", half.start(), half.end())
    return _Parser(text, tags).whole()


class _Parser:
    def __init__(self, text: str, tags: Collection[str] | None) -> None:
        self._end = len(text)
        self._tags = tags
        self._tokens = list(tokens(text))
        self._next = 0
        self._depth = 0

    def whole(self) -> Filter:
        if not self._tokens:
            return EVERYTHING
        found = self._any()
        extra = self._peek()
        if extra is not None:
            raise FilterError("found ')' without '(' before it", extra.start, extra.end, found=extra.text)
        return found

    def _any(self) -> Filter:
        parts = [self._all()]
        while self._take(Kind.OR):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _all(self) -> Filter:
        parts = [self._unary()]
        while (token := self._peek()) is not None and token.kind not in (Kind.OR, Kind.CLOSE):
            self._take(Kind.AND)
            parts.append(self._unary())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _unary(self) -> Filter:
        token = self._required("a term")
        self._depth += 1
        if self._depth > MAX_DEPTH + 1:  # a term within as many is one deeper
            problem = f"parentheses and negations may be nested {MAX_DEPTH} deep"
            raise FilterError(problem, token.start, token.end, found=token.text)
        if token.kind in _NEGATIONS:
            found: Filter = Not(self._unary())
        elif token.kind is Kind.OPEN:
            found = self._enclosed(token)
        else:
            found = self._term(token)
        self._depth -= 1
        return found

    def _enclosed(self, opening: Token) -> Filter:
        found = self._any()
        if self._take(Kind.CLOSE) is None:
            raise FilterError("the ')' of this '(' is missing", opening.start, opening.end, found="(")
        return found

    def _term(self, token: Token) -> Filter:
        if token.kind is Kind.WORD:
            return Term(FieldRef(TEXT), Operator.CONTAINS, (Literal(_whole(token).text),))
        if token.kind is not Kind.FIELD:
            problem = f"expected a term, found '{token.text}'"
            raise FilterError(problem, token.start, token.end, found=token.text)
        field = self._field(token)
        operator = self._operator(field)
        return Term(FieldRef(token.text.lower(), token.tag), operator, self._values(field, operator))

    def _field(self, token: Token) -> Field:
        field = FIELDS.get(token.text.lower())
        if field is None:
            problem = f"there is no field '{token.text}'; quote it to search for it as text"
            near = nearest(token.text, FIELDS)
            raise FilterError(problem, token.start, token.end, found=token.text, allowed=NAMES, nearest=near)
        if (field.name == TAG) != (token.tag is not None):
            problem = "a tag is written tag.<name>" if token.tag is None else f"{field.name} has no parts"
            allowed = sorted(f"{TAG}.{tag}" for tag in self._tags or ()) if token.tag is None else (field.name,)
            raise FilterError(problem, token.start, token.end, found=token.text, allowed=allowed)
        self._check_tag(token)
        return field

    def _check_tag(self, token: Token) -> None:
        if token.tag is None or self._tags is None or token.tag in self._tags:
            return
        problem = f"nothing here has a tag '{token.tag}'"
        allowed, near = sorted(self._tags), nearest(token.tag, self._tags)
        raise FilterError(problem, token.start, token.end, found=token.tag, allowed=allowed, nearest=near)

    def _operator(self, field: Field) -> Operator:
        token = self._required("an operator")
        operator = Operator(token.text)
        if operator not in field.operators:
            problem = f"{field.name} cannot be compared with '{operator}'"
            raise FilterError(problem, token.start, token.end, found=token.text, allowed=field.operators)
        return operator

    def _values(self, field: Field, operator: Operator) -> tuple[Value, ...]:
        found = [self._value(field, operator)]
        while comma := self._take(Kind.COMMA):
            if operator not in (Operator.EQUALS, Operator.DIFFERS, Operator.CONTAINS):
                raise FilterError(f"'{operator}' takes one value", comma.start, comma.end, found=",")
            found.append(self._value(field, operator))
        return tuple(found)

    def _value(self, field: Field, operator: Operator) -> Value:
        token = self._take(Kind.VALUE)
        if token is None:
            before = self._tokens[self._next - 1]
            problem = f"a value is missing after '{before.text}'"
            raise FilterError(problem, before.end, before.end, allowed=field.choices)
        return read_value(field, operator, _whole(token))

    def _peek(self) -> Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _take(self, kind: Kind) -> Token | None:
        token = self._peek()
        if token is None or token.kind is not kind:
            return None
        self._next += 1
        return token

    def _required(self, expected: str) -> Token:
        token = self._peek()
        if token is None:
            raise FilterError(f"expected {expected} here", self._end, self._end)
        self._next += 1
        return token


def _whole(token: Token) -> Token:
    if not token.whole:
        closing = "/" if token.regex else '"'
        raise FilterError(f"the closing {closing} is missing", token.start, token.end, found=token.text)
    return token

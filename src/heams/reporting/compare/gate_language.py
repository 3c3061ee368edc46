"""The language of gates: ``delta < -0.02 and p < 0.05``, ``recall@10.lower < 0 or n < 100``.

A condition compares numbers of a comparison with constants; ``and`` binds closer than ``or``, and brackets group. A
metric before a dot takes the number from the comparison under that metric. Nothing is ever executed.
"""

import re
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple, NoReturn

from heams.reporting.errors import ResultsError
from heta_framework.common.config import nearest

NUMBERS = ("delta", "lower", "upper", "p", "mean_a", "mean_b", "improved", "regressed", "n")
"""What can be compared: B minus A and its interval, the p value, the means, and counts of pairs."""
_OPERATORS = ("<=", ">=", "==", "!=", "<", ">")
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.@]))"
    r"|(?P<name>[A-Za-z_][\w@/]*(?:[.-][\w@/]+)*)"
    r"|(?P<operator><=|>=|==|!=|<|>)"
    r"|(?P<bracket>[()]))"
)
_DEEPEST = 50


class GateSyntaxError(ResultsError):
    """A condition cannot be understood. The message shows the place."""


@dataclass(frozen=True, slots=True)
class Check:
    """A number compared with a constant; ``metric`` is None for the metric that is compared anyway."""

    metric: str | None
    number: str
    operator: str
    limit: float
    text: str


@dataclass(frozen=True, slots=True)
class Either:
    """Conditions of which one is enough (``or``)."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Both:
    """Conditions that all are needed (``and``)."""

    parts: "tuple[Condition, ...]"


Condition = Check | Either | Both


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def parse_gate(text: str) -> Condition:
    """The condition that ``text`` says.

    Raises:
        GateSyntaxError: it is no condition.
    """
    return _Parser(text).whole()


def metrics_of(condition: Condition) -> set[str]:
    """The metrics that a condition names."""
    if isinstance(condition, Check):
        return {condition.metric} if condition.metric else set()
    return {metric for part in condition.parts for metric in metrics_of(part)}


class _Parser:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._split()
        self._place = 0
        self._depth = 0

    def whole(self) -> Condition:
        found = self._either()
        if self._next.kind != "end":
            self._fail("expected 'and', 'or' or the end")
        return found

    def _either(self) -> Condition:
        parts = [self._both()]
        while self._accept("name", "or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self) -> Condition:
        parts = [self._one()]
        while self._accept("name", "and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _one(self) -> Condition:
        if not self._accept("bracket", "("):
            return self._check()
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(f"brackets are more than {_DEEPEST} deep")
        found = self._either()
        if not self._accept("bracket", ")"):
            self._fail("expected ')'")
        self._depth -= 1
        return found

    def _check(self) -> Check:
        first = self._next
        if first.kind == "number":
            limit = self._number(self._take("number", "a number"))
            operator = self._take("operator", f"one of {' '.join(_OPERATORS)}").text
            name = self._take("name", "the name of a number")
            operator, last = _MIRRORED.get(operator, operator), name
        else:
            name = self._take("name", "the name of a number")
            operator = self._take("operator", f"one of {' '.join(_OPERATORS)}").text
            last = self._take("number", "a number")
            limit = self._number(last)
        metric, number = self._named(name)
        return Check(metric, number, operator, limit, self._text[first.start : last.start + len(last.text)])

    def _number(self, token: _Token) -> float:
        number = float(token.text)
        if not isfinite(number):
            self._fail("this number is too large", token)
        return number

    def _named(self, token: _Token) -> tuple[str | None, str]:
        metric, _, number = token.text.rpartition(".")
        if number not in NUMBERS:
            near = nearest(number, NUMBERS)
            hint = f"; did you mean {near!r}?" if near else "."
            self._fail(f"no number is called {number!r}{hint} There are: {', '.join(NUMBERS)}", token)
        return metric or None, number

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _accept(self, kind: str, text: str) -> bool:
        found = self._next.kind == kind and self._next.text.lower() == text
        self._place += found
        return found

    def _take(self, kind: str, what: str) -> _Token:
        token = self._next
        if token.kind != kind:
            self._fail(f"expected {what}")
        self._place += 1
        return token

    def _split(self) -> list[_Token]:
        tokens, end = [], len(self._text.rstrip())
        place = 0
        while place < end:
            found = _TOKEN.match(self._text, place)
            if found is None:
                start = place + len(self._text[place:]) - len(self._text[place:].lstrip())
                self._fail("expected a number, a name, a comparison or a bracket", _Token("?", "", start))
            kind = str(found.lastgroup)
            tokens.append(_Token(kind, found[kind], found.start(kind)))
            place = found.end()
        return [*tokens, _Token("end", "", end)]

    def _fail(self, why: str, token: _Token | None = None) -> NoReturn:
        start = (token or self._next).start
        raise GateSyntaxError(
            f"this condition cannot be read, at character {start + 1}: {why}\n  {self._text}\n  {' ' * start}^"
        )

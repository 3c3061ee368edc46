"""Every calculation with ``+``, ``-``, ``*`` and ``/`` that uses each of a few numbers once, the simplest first.

There are 1, 6, 68 and 1,170 for one to four numbers (https://oeis.org/A140606): calculations that always give the same
are one. They are told apart by their values for large primes, where two that differ do not meet by chance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

_PRIMES = (10_007, 31_337, 77_977, 99_991)
_EFFORT = {"+": 1, "*": 2, "-": 3, "/": 4}
MOST_NUMBERS = len(_PRIMES)


@dataclass(frozen=True, slots=True)
class Expression:
    """A calculation. ``text`` names its numbers a, b, c, d; ``effort`` sums up how hard its operations are."""

    text: str
    effort: int = 0
    place: int = 0
    parts: "tuple[str, Expression, Expression] | None" = None

    def value(self, numbers: Sequence[int]) -> Fraction | None:
        """What it gives for these numbers; None where it divides by 0."""
        if self.parts is None:
            return Fraction(numbers[self.place])
        operator, left, right = self.parts
        return _applied(operator, left.value(numbers), right.value(numbers))


@cache
def expressions(count: int) -> tuple[Expression, ...]:
    """All calculations with ``count`` numbers (1 to 4), the simplest first.

    Raises:
        ValueError: there are more numbers than that, or none.
    """
    if not 1 <= count <= MOST_NUMBERS:
        raise ValueError(f"calculations are tried with 1 to {MOST_NUMBERS} numbers, found {count}")
    return tuple(sorted(_over(tuple(range(count))), key=_simplest))


@cache
def _over(places: tuple[int, ...]) -> tuple[Expression, ...]:
    if len(places) == 1:
        return (Expression("abcd"[places[0]], place=places[0]),)
    known: dict[Fraction | None, Expression] = {}
    for candidate in sorted(_joined(places), key=_simplest):
        known.setdefault(candidate.value(_PRIMES), candidate)
    return tuple(known.values())


def _joined(places: tuple[int, ...]) -> Iterator[Expression]:
    """Every way to divide the places in two, and every operation between calculations over the halves."""
    for mask in range(1, 2 ** len(places) - 1):
        chosen = tuple(place for bit, place in enumerate(places) if mask >> bit & 1)
        others = tuple(place for place in places if place not in chosen)
        for left in _over(chosen):
            for right in _over(others):
                for operator, effort in _EFFORT.items():
                    text = f"{_bracketed(left)} {operator} {_bracketed(right)}"
                    yield Expression(text, effort + left.effort + right.effort, parts=(operator, left, right))


def _bracketed(part: Expression) -> str:
    return part.text if part.parts is None else f"({part.text})"


def _simplest(expression: Expression) -> tuple[int, str]:
    return expression.effort, expression.text


def _applied(operator: str, left: Fraction | None, right: Fraction | None) -> Fraction | None:
    if left is None or right is None:
        return None
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    return left / right if right else None

"""Mode numeric: the answer's number equals the expected number. What a number is, is said in `quantities`.

**Which number is the answer.** The first one after the last "answer is", "answer:", "####", "\\boxed{" or "=". Without
such a mark the only one; of several the last (the convention of GSM8K's graders). `which="first"` takes the first
instead, `which="only"` accepts no answer that leaves a choice.

**Percent.** Two percentages, or two plain numbers, are compared as they stand. Where only one side has the sign, it may
be a unit (20% is 20) or a hundredth (20% is 0.2).

**Scale.** "1.2 million" is 1,200,000. A table "in thousands" is answered as 1,200 or as 1,200,000: `scales=(1e3,)`
takes either for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Literal, get_args

import regex

from heta_framework.common.text.quantities import Quantity, prepare, quantities
from heta_framework.common.text.verdict import Match, quoted

Which = Literal["last", "first", "only"]

_ANSWER_MARK = regex.compile(r"\banswer(?: is| was| ?:)|####|\\boxed\{|=")


def numeric(
    observed: str,
    expected: str,
    rel_tol: float = 1e-12,
    abs_tol: float = 0.0,
    which: Which = "last",
    scales: Sequence[float] = (),
) -> Match:
    """Whether the answer's number lies within the tolerance of the expected one, or of it times or by one of `scales`.

    Within means ``abs(found - expected) <= max(rel_tol * abs(expected), abs_tol)``; the default `rel_tol` forgives only
    the rounding of floating-point arithmetic.

    Raises:
        ValueError: `expected` does not hold exactly one number; a setting is wrong (see `check_settings`).
    """
    check_settings(rel_tol, abs_tol, which, scales)
    wanted = _expected_quantity(expected)
    candidates = _candidates(prepare(observed), which)
    if len(candidates) != 1:
        several = f"{len(candidates)} numbers to choose from" if candidates else "no number found"
        return Match(0.0, f"{several}, expected {wanted}")
    found = candidates[0]
    factors = [1.0, *scales, *(1 / scale for scale in scales)]
    within = any(
        abs(value - gold * factor) <= max(rel_tol * abs(gold * factor), abs_tol)
        for value, gold in _readings(found, wanted)
        for factor in factors
    )
    return Match(1.0, f"found {found}") if within else Match(0.0, f"found {found}, expected {wanted}")


def check_settings(rel_tol: float, abs_tol: float, which: str, scales: Sequence[float]) -> None:
    """Check what `numeric` is to be asked with.

    Raises:
        ValueError: a tolerance is negative or no number, a scale is not above 0, or `which` is unknown.
    """
    if which not in get_args(Which):
        raise ValueError(f"match_mode numeric: which is {which!r}; it must be 'last', 'first' or 'only'")
    if not (rel_tol >= 0 and abs_tol >= 0):
        raise ValueError(f"match_mode numeric: rel_tol {rel_tol!r} and abs_tol {abs_tol!r} must be 0 or more")
    if not all(0 < scale < inf for scale in scales):
        raise ValueError(f"match_mode numeric: scales must be above 0 and finite, found {list(scales)}")


def holds_one_number(text: str) -> bool:
    """Whether `text` can be an expected answer: whether there is exactly one number in it."""
    return len(quantities(prepare(text))) == 1


def _expected_quantity(expected: str) -> Quantity:
    found = quantities(prepare(expected))
    if len(found) != 1:
        raise ValueError(
            f"match_mode numeric needs an expected answer with one number; {quoted(expected)} holds {len(found)}"
        )
    return found[0]


def _candidates(prepared: str, which: Which) -> list[Quantity]:
    """The one number that counts as the answer; none, or several that leave a choice."""
    found = quantities(prepared)
    marks = [mark.end() for mark in _ANSWER_MARK.finditer(prepared)]
    marked = [quantity for quantity in found if marks and quantity.start >= marks[-1]]
    if marked:
        return marked[:1]
    return {"last": found[-1:], "first": found[:1], "only": found}[which]


def _readings(found: Quantity, wanted: Quantity) -> list[tuple[float, float]]:
    as_written = (found.value, wanted.value)
    if found.percent == wanted.percent:
        return [as_written]
    if found.percent:
        return [as_written, (found.value / 100, wanted.value)]
    return [as_written, (found.value, wanted.value / 100)]

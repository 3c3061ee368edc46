"""What a comparison comes to, in words for people who have never heard of a p value.

Only a test shows a difference. That none was shown is never called equality: too few questions look the same.
"""

from typing import Literal

from heams.reporting.compare.numbers import PairedNumbers
from heams.reporting.compare.paired_test import LEVEL
from heams.reporting.figures import count, plural
from heams.reporting.part_names import Noun

Outcome = Literal["better", "worse", "not shown", "too few", "alike", "no pairs"]
"""Of B beside A: shown to be better or worse, not shown to be either, too few units for any outcome to show it, the
same value in every pair, nothing to compare."""
PAIRS = Noun("pair", "pairs")


def outcome_of(numbers: PairedNumbers, p: float | None = None) -> Outcome:
    """The outcome; ``p`` is the adjusted p where several comparisons were made at once."""
    if numbers.test is None or numbers.delta is None:
        return "no pairs"
    if numbers.equal == numbers.n:
        return "alike"
    if not numbers.test.can_tell:
        return "too few"
    if (numbers.test.p if p is None else p) >= LEVEL or numbers.delta == 0:
        return "not shown"
    return "better" if (numbers.delta > 0) is numbers.higher_is_better else "worse"


def verdict(numbers: PairedNumbers, noun: Noun, *, in_points: bool) -> str:
    """The verdict. ``noun`` is what pairs share; ``in_points`` says that values are shares, told in points of 100."""
    outcome = outcome_of(numbers)
    if outcome == "no pairs" or numbers.test is None or numbers.delta is None:
        return "nothing to compare: no question has a value on both sides."
    if outcome == "alike":
        return f"no difference was seen: A and B have the same value in all {_units(numbers, noun)}."
    by = "no more and no less than A on average" if numbers.delta == 0 else _by(numbers, in_points)
    if outcome == "too few":
        units = plural(numbers.test.units, *(PAIRS if numbers.clusters is None else noun))
        what = noun.several if numbers.clusters is not None else "questions"
        return (
            f"too few {what} to tell: with {units} the smallest possible p is {p_value(numbers.test.smallest_p)} "
            f"(B is {by}; {_evidence(numbers, noun, in_points)})."
        )
    if outcome == "not shown":
        evidence = _evidence(numbers, noun, in_points)
        return f"no difference was shown: B is {by}, which may be chance ({evidence}){_few_differ(numbers, noun)}."
    return f"B is {outcome} by {amount(abs(numbers.delta), in_points)} ({_evidence(numbers, noun, in_points)})."


def p_value(p: float) -> str:
    """A p value with two significant digits, three decimals at most."""
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.01 else f"{p:.2g}"


def amount(value: float, in_points: bool) -> str:
    """A difference: ``4.2 points``, or in the metric's own unit ``0.42``."""
    return f"{_number(value, in_points)}{' points' if in_points else ''}"


def _number(value: float, in_points: bool) -> str:
    scaled = value * 100 if in_points else value
    digits = 1 if in_points else 3
    rounded = round(scaled, digits) + 0.0
    return f"{scaled:.1g}" if rounded == 0 and scaled else f"{rounded:.{digits}f}"


def _by(numbers: PairedNumbers, in_points: bool) -> str:
    delta = numbers.delta or 0.0
    return f"{'higher' if delta > 0 else 'lower'} by {amount(abs(delta), in_points)}"


def _evidence(numbers: PairedNumbers, noun: Noun, in_points: bool) -> str:
    """Interval of the amount, p, and what they rest on. The interval has the sign of the amount, as it is told."""
    parts = []
    if numbers.interval is not None and numbers.delta is not None:
        low, high = numbers.interval.low, numbers.interval.high
        low, high = (low, high) if numbers.delta >= 0 else (-high, -low)
        parts.append(f"95 % interval {_number(low, in_points)} to {_number(high, in_points)}")
    if numbers.test is not None:
        p = p_value(numbers.test.p)
        parts.append(f"p {p}" if p.startswith("<") else f"p = {p}")
    return ", ".join([*parts, _units(numbers, noun)])


def _few_differ(numbers: PairedNumbers, noun: Noun) -> str:
    """Why p is large where most units came out the same on both sides."""
    if numbers.test is None or numbers.test.differ_enough:
        return ""
    units = plural(numbers.test.differing, *(PAIRS if numbers.clusters is None else noun))
    return f"; only {units} differ{'s' if numbers.test.differing == 1 else ''} at all"


def _units(numbers: PairedNumbers, noun: Noun) -> str:
    pairs = plural(numbers.n, *PAIRS)
    return pairs if numbers.clusters is None else f"{pairs} from {count(numbers.clusters)} {_form(numbers, noun)}"


def _form(numbers: PairedNumbers, noun: Noun) -> str:
    return noun.one if numbers.clusters == 1 else noun.several

"""The number that a judge gives in prose: "Score: 4/5", "0.5", "I rate it 3 out of 5."."""

import math
import re
from collections.abc import Callable

from heta_framework.common.judge.words import trimmed

_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"
_OUT_OF = rf"(?:\s*(?:/|out of)\s*(?P<top>{_NUMBER}))?"
_LEAD_IN = re.compile(
    rf"\b(?:score|rating|grade|verdict|value)\b\s*(?:is|of|:|=)\s*(?P<number>{_NUMBER}){_OUT_OF}(?![\d.,]*\d|\s?%)"
)
_ALONE = re.compile(rf"(?P<number>{_NUMBER}){_OUT_OF}(?:\s*points?)?")


def score_in(text: str, high: float, copied: Callable[[str], bool] = lambda _: False) -> float | None:
    """The score that ``text`` (``plain``) announces last, or that is all of a line; None without one.

    A score out of another number than ``high`` is none, and neither are several different ones. ``copied`` tells
    whether an announcement stands in the material.
    """
    announced = [match for match in _LEAD_IN.finditer(text) if not copied(match.group())]
    if announced:
        return _value(announced[-1], high)
    alone = [match for line in text.splitlines() if (match := _ALONE.fullmatch(trimmed(line)))]
    values = {_value(match, high) for match in alone}
    return values.pop() if len(values) == 1 else None


def number_of(value: object) -> float | None:
    """A finite number given as JSON number or as text; flags are none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _value(match: re.Match[str], high: float) -> float | None:
    top = match["top"]
    other_scale = top is not None and number_of(_with_point(top)) != high
    return None if other_scale else number_of(_with_point(match["number"]))


def _with_point(number: str) -> str:
    return number.replace(",", ".")

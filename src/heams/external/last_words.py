"""The end of a program's stderr as part of a message: the line that names the error first, then what is around it."""

import re
from collections.abc import Sequence

_MOST_LINES = 20
_MOST_CHARACTERS = 3000
_LONGEST_LINE = 500
_NAMES_AN_ERROR = re.compile(r"(?!\s).*(error|exception|panic|fatal)", re.IGNORECASE)
"""Begins at the margin: the lines of a stack are indented."""


def last_words(lines: Sequence[str]) -> str:
    """The last lines on stderr as the end of a message; empty where there are none.

    A stack may stand above the line that says what went wrong (Python) or below it (JavaScript). That line comes first:
    whoever has room for one line only should see this one. The others follow, each on a line of its own.
    """
    if not lines:
        return ""
    clipped = [line[:_LONGEST_LINE] for line in lines]
    telling = _telling(clipped)
    first = f"; last lines on stderr: {clipped[telling].strip()}"
    if len(clipped) == 1:
        return first
    start = min(telling, max(0, len(clipped) - _MOST_LINES))
    around = "".join(f"\n    {line}" for line in clipped[start : start + _MOST_LINES])
    return first + around[-_MOST_CHARACTERS:]


def _telling(lines: Sequence[str]) -> int:
    named = (position for position in reversed(range(len(lines))) if _NAMES_AN_ERROR.match(lines[position]))
    return next(named, len(lines) - 1)

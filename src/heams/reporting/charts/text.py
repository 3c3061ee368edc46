"""Names as charts show them: harmless, short, and still different from each other."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

NAME_LIMIT = 32
"""Characters of a name beside an axis."""
_NOT_SHOWN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def harmless(value: Any) -> Any:
    """A JSON value whose texts have U+FFFD for what XML refuses, or what changes the direction of reading."""
    if isinstance(value, str):
        return _NOT_SHOWN.sub("\ufffd", value)
    if isinstance(value, dict):
        return {harmless(key): harmless(item) for key, item in value.items()}
    return [harmless(item) for item in value] if isinstance(value, list) else value


def short(name: str, limit: int = NAME_LIMIT) -> str:
    """``name`` in one line of at most ``limit`` characters: begin and end, which are what tells long names apart."""
    line = " ".join(name.split()) or "(no name)"
    if len(line) <= limit:
        return line
    tail = (limit - 1) // 2
    return f"{line[: limit - 1 - tail].rstrip()}…{line[-tail:].lstrip()}"


def distinct(names: Sequence[str], limit: int = NAME_LIMIT) -> dict[str, str]:
    """A short name for each name; names that would look the same are numbered."""
    unique = list(dict.fromkeys(names))
    shortened = {name: short(name, limit) for name in unique}
    counts = Counter(shortened.values())
    taken = {shown for shown, times in counts.items() if times == 1}
    found: dict[str, str] = {}
    for name, shown in shortened.items():
        found[name] = shown if counts[shown] == 1 else _numbered(shown, taken)
        taken.add(found[name])
    return found


def _numbered(shown: str, taken: set[str]) -> str:
    number = 1
    while f"{shown} ({number})" in taken:
        number += 1
    return f"{shown} ({number})"


def number(value: float) -> str:
    """Up to three decimals without idle zeros, thousands separated: as ticks read."""
    text = f"{value:,.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text

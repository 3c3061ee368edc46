"""The saved line of a sample as readable JSON, in which nothing is too long to read."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

MOST_CHARACTERS = 1_000_000
LONGEST_TEXT = 10_000
"""Texts within the JSON are cut here; each has an address of its own."""
_MOST_LINKS = 100


@dataclass(frozen=True, slots=True)
class LongText:
    """A text that was cut: where it stands, as a JSON pointer, and how long it is."""

    pointer: str
    characters: int


@dataclass(frozen=True, slots=True)
class RawView:
    """``text`` is the JSON, cut to what a page can hold; ``bytes`` is the length of the line."""

    text: str
    cut: bool
    long_texts: tuple[LongText, ...]
    bytes: int


def raw_view(line: bytes) -> RawView:
    """A line of ``runs.jsonl``, which the index has checked to be JSON."""
    found: list[LongText] = []
    text = json.dumps(_shortened(from_json(line), "", found), ensure_ascii=False, indent=2)
    return RawView(text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS, tuple(found[:_MOST_LINKS]), len(line))


def text_at(line: bytes, pointer: str) -> str | None:
    """The text that a JSON pointer (RFC 6901) leads to; anything else as JSON; None where it leads nowhere."""
    value: Any = from_json(line)
    for name in _names(pointer):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and _is_place(name, value):
            value = value[int(name)]
        else:
            return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def pointer_to(*names: str | int) -> str:
    """A JSON pointer."""
    return "".join(f"/{str(name).replace('~', '~0').replace('/', '~1')}" for name in names)


def _is_place(name: str, values: Sequence[Any]) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= len(str(len(values))) and int(name) < len(values)


def _names(pointer: str) -> Iterator[str]:
    yield from (name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:])


def _shortened(value: Any, pointer: str, found: list[LongText]) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        found.append(LongText(pointer, len(value)))
        return f"{value[:LONGEST_TEXT]}… ({len(value) - LONGEST_TEXT:,} more characters)"
    if isinstance(value, dict):
        return {name: _shortened(one, pointer + pointer_to(name), found) for name, one in value.items()}
    if isinstance(value, list):
        return [_shortened(one, f"{pointer}/{place}", found) for place, one in enumerate(value)]
    return value

"""The JSON objects at the top level of a reply, however models spell JSON."""

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

_DEEPEST = 24
_OPENS, _CLOSES = "{[", "}]"
_CLOSING_QUOTE = {'"': '"', "“": "”", "'": "'"}
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})
_AFTER_STRING = re.compile(r"\s*(?:[,:}\]]|\Z)")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)")
_BARE_VALUE = re.compile(r"(:\s*)(?!(?:true|false|null)\b)([A-Za-z_][\w -]*?)(\s*[,}\]])")


@dataclass(frozen=True, slots=True)
class FoundObject:
    """An object in a text; ``fields`` is None where it is no JSON by any reading."""

    start: int
    end: int
    source: str
    fields: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class FoundObjects:
    """Objects in order; ``cut_at`` is where one begins that never ends."""

    objects: tuple[FoundObject, ...]
    cut_at: int | None = None


def find_objects(text: str) -> FoundObjects:
    """All objects of ``text`` that stand in no other; what follows an object that never ends is not looked at."""
    found: list[FoundObject] = []
    position = text.find("{")
    while position >= 0:
        end = _end_of_object(text, position)
        if end is None:
            return _with_the_last(found, text, position)
        source = text[position:end]
        found.append(FoundObject(position, end, source, _fields(source)))
        position = text.find("{", end)
    return FoundObjects(tuple(found))


def _with_the_last(found: list[FoundObject], text: str, start: int) -> FoundObjects:
    """The object that never ends counts where it lacks nothing but its last brace: a text is whole only if quoted."""
    source = text[start:].rstrip().removesuffix("```").rstrip()
    fields = _json(source + "}") if source.endswith('"') else None
    if not isinstance(fields, dict):
        return FoundObjects(tuple(found), start)
    return FoundObjects((*found, FoundObject(start, len(text), source, fields)))


def _end_of_object(text: str, start: int) -> int | None:
    """Where the object that begins at ``start`` ends; None when it does not, or lies too deep to be one."""
    depth, position = 0, start
    while position < len(text):
        character = text[position]
        if character in _CLOSING_QUOTE and _begins_string(text, position):
            position = _end_of_string(text, position)
            continue
        depth += (character in _OPENS) - (character in _CLOSES)
        position += 1
        if depth == 0:
            return position
        if depth > _DEEPEST:
            return None
    return None


def _begins_string(text: str, position: int) -> bool:
    """An apostrophe begins a string only where a key or a value may stand."""
    if text[position] != "'":
        return True
    before = position - 1
    while before > 0 and text[before].isspace():
        before -= 1
    return text[before] in "{[,:"


def _end_of_string(text: str, position: int) -> int:
    closing = _CLOSING_QUOTE[text[position]]
    position += 1
    while position < len(text):
        if text[position] == "\\":
            position += 2
            continue
        if text[position] == closing and (closing != "'" or _ends_string(text, position)):
            return position + 1
        position += 1
    return len(text)


def _ends_string(text: str, position: int) -> bool:
    return _AFTER_STRING.match(text, position + 1) is not None


def _fields(source: str) -> dict[str, Any] | None:
    straight = _TRAILING_COMMA.sub(r"\1", source.translate(_CURLY))
    quoted = _BARE_VALUE.sub(r'\1"\2"\3', _BARE_KEY.sub(r'\1"\2"\3', straight))
    for read, candidate in ((_json, source), (_json, straight), (_python, straight), (_json, quoted)):
        fields = read(candidate)
        if isinstance(fields, dict):
            return {str(key): value for key, value in fields.items()}
    return None


def _json(source: str) -> Any:
    try:
        return json.loads(source, strict=False)
    except (ValueError, RecursionError):
        return None


def _python(source: str) -> Any:
    try:
        return ast.literal_eval(source)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None

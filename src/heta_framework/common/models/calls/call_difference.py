"""In what two calls differ, in words: the first difference, with a short excerpt of both sides."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Path = tuple[str | int, ...]
_FIRST: Final = ("messages", "instructions")
_LAST: Final = ("settings",)
_EXCERPT: Final = 60
_BEFORE: Final = 20
_MISSING: Final = object()
_TOOLS: Final = {"function_tools": "tool", "native_tools": "native tool", "output_tools": "output tool"}
_AREAS: Final = {"function_tools": "tools", "output_object": "output schema"}
_OBVIOUS: Final = ("parts", "content")


@dataclass(frozen=True, slots=True)
class CallIdentity:
    """What makes a call the call it is."""

    kind: str
    model: str
    epoch: str
    request: Mapping[str, Any]


def describe_difference(recorded: CallIdentity, asked: CallIdentity) -> str:
    """One clause for each thing that tells the calls apart: kind, model, epoch, and of the request the first."""
    clauses = [
        f"{name}: recorded {getattr(recorded, name)!r}, asked {getattr(asked, name)!r}"
        for name in ("kind", "model", "epoch")
        if getattr(recorded, name) != getattr(asked, name)
    ]
    return "; ".join([*clauses, *_request_clauses(recorded.request, asked.request)])


def _request_clauses(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    areas = [name for name in _ordered(recorded, asked) if recorded.get(name) != asked.get(name)]
    if areas:
        yield _clause(*_first_difference((areas[0],), recorded.get(areas[0], _MISSING), asked.get(areas[0], _MISSING)))
    if len(areas) > 1:
        yield f"also different: {', '.join(_area(name) for name in areas[1:])}"


def _ordered(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    names = {*one, *other}
    between = sorted(names.difference(_FIRST, _LAST))
    return [name for name in (*_FIRST, *between, *_LAST) if name in names]


def _first_difference(path: Path, recorded: Any, asked: Any) -> tuple[Path, Any, Any]:
    if isinstance(recorded, Mapping) and isinstance(asked, Mapping):
        for name in sorted({*recorded, *asked}, key=_telling):
            if recorded.get(name, _MISSING) != asked.get(name, _MISSING):
                return _first_difference((*path, name), recorded.get(name, _MISSING), asked.get(name, _MISSING))
    if isinstance(recorded, list) and isinstance(asked, list):
        return _first_in_lists(path, recorded, asked)
    return path, recorded, asked


def _first_in_lists(path: Path, recorded: Sequence[Any], asked: Sequence[Any]) -> tuple[Path, Any, Any]:
    if path[-1] in _TOOLS:
        recorded_tools, asked_tools = _by_name(recorded), _by_name(asked)
        for name in {**asked_tools, **recorded_tools}:
            one, other = recorded_tools.get(name, _MISSING), asked_tools.get(name, _MISSING)
            if one != other:
                return _first_difference((*path, name), one, other)
    for number in range(max(len(recorded), len(asked))):
        one, other = (items[number] if number < len(items) else _MISSING for items in (recorded, asked))
        if one != other:
            return _first_difference((*path, _part_name(one, other) or number), one, other)
    return path, recorded, asked


def _part_name(one: Any, other: Any) -> str | None:
    """The kind of a part of a message, where both are of one kind."""
    kinds = {str(part["part_kind"]) for part in (one, other) if isinstance(part, Mapping) and "part_kind" in part}
    return kinds.pop().replace("-", " ") if len(kinds) == 1 else None


def _by_name(tools: Sequence[Any]) -> dict[str, Any]:
    return {str(tool["name"]): tool for tool in tools if isinstance(tool, Mapping) and "name" in tool}


def _telling(name: str) -> tuple[bool, str]:
    """What a part is comes before what it says."""
    return not name.endswith("kind"), name


def _clause(path: Path, recorded: Any, asked: Any) -> str:
    where = _where(path)
    if recorded is _MISSING:
        return f"{where} was not recorded: {_excerpt(asked, 0)}"
    if asked is _MISSING:
        return f"{where} was recorded and is not asked: {_excerpt(recorded, 0)}"
    at = _parting(recorded, asked) if isinstance(recorded, str) and isinstance(asked, str) else 0
    return f"{where} differs: recorded {_excerpt(recorded, at)}, asked {_excerpt(asked, at)}"


def _where(path: Path) -> str:
    area, *rest = path
    if area == "messages" and rest:
        return " ".join([f"message {_ordinal(rest[0])}", *_inside(rest[1:])])
    if area in _TOOLS and rest:
        return " ".join([f"{_TOOLS[area]} {rest[0]!r}", *_inside(rest[1:])])
    if area == "settings" and rest:
        return f"setting {'.'.join(map(str, rest))}"
    return " ".join([_area(str(area)), *_inside(rest)])


def _area(name: str) -> str:
    return _AREAS.get(name, name.replace("_", " "))


def _inside(rest: Sequence[str | int]) -> Iterator[str]:
    words = [f"part {_ordinal(step)}" if isinstance(step, int) else step for step in rest if step not in _OBVIOUS]
    if words:
        yield f"({', '.join(words)})"


def _ordinal(step: str | int) -> str:
    return str(step + 1) if isinstance(step, int) else step


def _parting(one: str, other: str) -> int:
    """Where two texts part."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _excerpt(value: Any, at: int) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    begin = max(0, at - _BEFORE)
    shown = text[begin : begin + _EXCERPT]
    cut = f"{'…' if begin else ''}{shown}{'…' if begin + _EXCERPT < len(text) else ''}"
    return json.dumps(cut, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")

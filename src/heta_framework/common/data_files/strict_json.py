"""JSON without what readers understand differently: numbers that are not finite, and keys that occur twice."""

import json
from json.decoder import JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from math import isfinite
from typing import Any, NoReturn


class RepeatedKey(ValueError):  # noqa: N818 - named after what was found
    """A key occurs twice in one object, of which JSON readers would keep either."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        self.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        super().__init__(f"found the key {self.key!r} twice in one object")


def decode(text: str) -> Any:
    """The value that ``text`` stands for.

    Raises:
        json.JSONDecodeError: it is not JSON.
        RepeatedKey: an object has a key twice.
        ValueError: a number is not finite, or has too many digits.
        RecursionError: it is nested too deeply.
    """
    return _DECODER.decode(text)


def line_of_repeated_key(text: str) -> int | None:
    """The line, from 1, in which the object begins that has a key twice; found by a second, slower reading."""
    finder = _Finder(object_pairs_hook=_object)
    try:
        finder.decode(text)
    except RepeatedKey:
        return text.count("\n", 0, finder.begins) + 1
    except (ValueError, RecursionError):
        return None
    return None


def _constant(name: str) -> NoReturn:
    raise ValueError(f"found {name}, which is not JSON; expected a finite number or null")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"found the number {text[:40]}, which is too large; expected a finite number or null")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RepeatedKey(pairs)
    return found


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_finite, object_pairs_hook=_object)


class _Finder(json.JSONDecoder):
    """Knows where the object begins that was read to its end last."""

    def __init__(self, **hooks: Any) -> None:
        super().__init__(**hooks)
        self.begins = 0
        self.parse_object = self._parse_object
        self.scan_once = py_make_scanner(self)

    def _parse_object(self, text_and_place: tuple[str, int], *rest: Any) -> Any:
        try:
            return JSONObject(text_and_place, *rest)
        except RepeatedKey:
            self.begins = max(self.begins, text_and_place[1] - 1)
            raise

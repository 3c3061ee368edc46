"""Messages as strict JSON in UTF-8: no NaN, no infinity, no lone surrogates, in either direction."""

import json
import math
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from heta_framework.common.text.surrogates import replace_surrogates

_LONGEST_QUOTE = 200
_LINE_SEPARATORS = {"\x85": r"\u0085", "\u2028": r"\u2028", "\u2029": r"\u2029"}
"""JSON allows them as they are, but many readers of lines break there (Node's readline, Python's splitlines)."""


def encode(message: Mapping[str, JsonValue]) -> bytes:
    """A message as one line of JSON without the newline. Lone surrogates become U+FFFD.

    Raises:
        ValueError: a number is not finite.
    """
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for separator, escape in _LINE_SEPARATORS.items():
        text = text.replace(separator, escape)
    return replace_surrogates(text).encode()


def decode(data: bytes) -> dict[str, JsonValue]:
    """The JSON object that ``data`` holds.

    Raises:
        ValueError: it is no JSON object, not UTF-8, nested too deep, or holds a number that is not finite.
    """
    from pydantic_core import from_json

    try:
        value = from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise ValueError(f"{error}{_hint(data)}") from None
    if not isinstance(value, dict):
        raise ValueError(f"a JSON object is needed, found {_kind(value)}")  # noqa: TRY004 - one kind of error for callers
    if not _is_finite(value):
        raise ValueError("a number is too large for a 64-bit float")
    return value


def quoted(data: bytes) -> str:
    """The first 200 characters in double quotes, safe to print: control characters and broken bytes are escaped."""
    text = data[: 4 * _LONGEST_QUOTE].decode("utf-8", "backslashreplace")
    cut = len(text) > _LONGEST_QUOTE or len(data) > 4 * _LONGEST_QUOTE
    return json.dumps(text[:_LONGEST_QUOTE], ensure_ascii=False) + ("…" if cut else "")


def _hint(data: bytes) -> str:
    return " (JSON knows neither NaN nor Infinity)" if b"NaN" in data or b"Infinity" in data else ""


def _kind(value: JsonValue) -> str:
    return {list: "a list", str: "text", bool: "true or false", type(None): "null"}.get(type(value), "a number")


def _is_finite(value: JsonValue) -> bool:
    """The parser refuses ``NaN`` but reads ``1e999`` as infinity."""
    if isinstance(value, float):
        return math.isfinite(value)
    inner: Iterable[JsonValue] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(_is_finite(part) for part in inner)

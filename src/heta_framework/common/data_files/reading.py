"""Reads data that others wrote: whatever is wrong with it becomes a ``DatasetFormatError`` that names the place."""

import json
import re
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.strict_json import RepeatedKey, decode, line_of_repeated_key

T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")
BOM = b"\xef\xbb\xbf"


def read_bytes(path: Path) -> bytes:
    """The content of a data file.

    Raises:
        DatasetFormatError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause


def parse_json(data: bytes, path: Path | str, place: str = "") -> Any:
    """JSON in UTF-8 (with or without a byte order mark), strict: finite numbers, whole characters, no key twice.

    Raises:
        DatasetFormatError: the data is cut off, or is not such JSON; ``place`` and the line within ``data`` are named.
    """
    try:
        text = data.removeprefix(BOM).decode("utf-8").rstrip(" \t\r\n")
        value = decode(text)
    except json.JSONDecodeError as cause:
        within = f"line {cause.lineno}, column {cause.colno}" if "\n" in cause.doc else f"column {cause.colno}"
        raise DatasetFormatError(path, place or within, _what_is_wrong(cause, within if place else "")) from cause
    except UnicodeDecodeError as cause:
        raise DatasetFormatError(path, place, f"byte {cause.start + 1} is not UTF-8; expected JSON in UTF-8") from cause
    except RecursionError as cause:
        raise DatasetFormatError(path, place, "the JSON is nested too deeply to be read") from cause
    except RepeatedKey as cause:
        line = line_of_repeated_key(text) if "\n" in text else None
        within = f"object in line {line}" if line else ""
        message = f"found the key {cause.key!r} twice in one object; expected each key once"
        raise DatasetFormatError(path, ", ".join(filter(None, [place, within])), message) from None
    except ValueError as cause:
        raise DatasetFormatError(path, place, str(cause)) from cause
    if "\\u" in text and _holds_surrogate(value):
        raise DatasetFormatError(
            path, place, "found half of a surrogate pair (\\ud800 to \\udfff); expected whole characters"
        )
    return value


def checked(adapter: TypeAdapter[T], data: Any, path: Path | str, place: str = "") -> T:
    """``data`` as the adapter's type.

    Raises:
        DatasetFormatError: with the first field that is wrong, what was found there, and what is allowed.
    """
    try:
        return adapter.validate_python(data)
    except ValidationError:
        _refuse_record(adapter, data, path, place)


def _refuse_record(adapter: TypeAdapter[Any], data: Any, path: Path | str, place: str) -> NoReturn:
    from heta_framework.common.config import ConfigError, YamlDocument, validate

    try:
        validate(YamlDocument(path=None, data=data, raw=data), adapter)
    except ConfigError as error:
        first, *others = error.problems
        more = f" (and {len(others)} more in this record)" if others else ""
        hint = f"; {first.hint}" if first.hint else ""
        where = ", ".join(filter(None, [place, _readable(first.field)]))
        raise DatasetFormatError(path, where, f"{first.message}{hint}{more}") from None
    raise AssertionError("both validations use the same adapter")


def _readable(dotted: str | None) -> str:
    """``qa.37.category`` as ``qa 37, category``, and ``4.text`` as ``entry 4, text``."""
    indexed = re.sub(r"\.(\d+)(?=\.|$)", r" \1", re.sub(r"^(?=\d+(?:\.|$))", "entry.", dotted or ""))
    return indexed.replace(".", ", ")


def _what_is_wrong(cause: json.JSONDecodeError, within: str) -> str:
    if not cause.doc:
        return "found nothing; expected JSON"
    rest = cause.doc[cause.pos :].strip()
    cut_off = not rest or cause.msg.startswith("Unterminated")
    found = "the data ends in the middle, as if it was cut off" if cut_off else f"found {rest[:20]!r}"
    return f"not valid JSON{f' at {within}' if within else ''}: {cause.msg}; {found}"


def _holds_surrogate(value: Any) -> bool:
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None

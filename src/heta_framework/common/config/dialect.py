"""The YAML dialect of configurations: which plain scalars are not text.

It is the core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema) with one exception, and so a superset
of JSON (but a key must fit into 1,024 characters as it is written). Compared with PyYAML's YAML 1.1:

- `yes`, `no`, `on`, `off` are text; only `true` and `false` (also `True`, `TRUE`, …) are booleans;
- dates and times are text, because JSON has neither;
- `1_000`, `12:30` and `0755` are text; `1e3` is a number; `0o17` and `0x1F` are integers;
- the exception: numbers with a leading zero (`007`) are text, because 1.1 and 1.2 read them differently.

The merge key `<<` of YAML 1.1 is kept. Reader and writer share the resolver, so what is written reads back equal.
"""

import math
import re
import sys

from yaml.resolver import BaseResolver

_PREFIX = "tag:yaml.org,2002:"
NULL, BOOL, INT, FLOAT, STR, SEQ, MAP, MERGE = (
    _PREFIX + name for name in ("null", "bool", "int", "float", "str", "seq", "map", "merge")
)

Scalar = str | int | float | bool | None

_PATTERNS = {
    NULL: (re.compile(r"(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    BOOL: (re.compile(r"(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    INT: (re.compile(r"(?:[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+)$"), list("-+0123456789")),
    FLOAT: (
        re.compile(
            r"""(?:[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?
                |[-+]?[0-9]+[eE][-+]?[0-9]+
                |[-+]?\.(?:inf|Inf|INF)
                |\.(?:nan|NaN|NAN))$""",
            re.VERBOSE,
        ),
        list("-+.0123456789"),
    ),
    MERGE: (re.compile(r"<<$"), ["<"]),
}


class CoreResolver(BaseResolver):
    """Gives a plain scalar its tag by the rules of this dialect."""


for _tag, (_pattern, _first) in _PATTERNS.items():
    CoreResolver.add_implicit_resolver(_tag, _pattern, _first)


def scalar_value(tag: str, text: str) -> Scalar:
    """Return the value of a scalar. Raises ValueError, worded for the user, where tag and text do not fit together."""
    if tag in (STR, MERGE):
        return _encodable(text)
    if tag not in (NULL, BOOL, INT, FLOAT):
        raise ValueError(f"found the tag {shown_tag(tag)}; only plain YAML values are allowed")
    if not any(_PATTERNS[fitting][0].match(text) for fitting in ((INT, FLOAT) if tag == FLOAT else (tag,))):
        raise ValueError(f"found '{text[:80]}' under the tag {shown_tag(tag)}; the two do not fit together")
    if tag == FLOAT:
        return _finite(text)
    if tag == INT:
        return _integer(text)
    return None if tag == NULL else text.lower() == "true"


def key_text(tag: str, text: str) -> str:
    """Return a key, which is always text as it was written: `on`, `1` and `true` are "on", "1" and "true"."""
    return _encodable(text) if tag in _PATTERNS else str(scalar_value(tag, text))


def shown_tag(tag: str) -> str:
    """Return a tag as it is written in a file: `!!set` rather than `tag:yaml.org,2002:set`."""
    return f"!!{tag.removeprefix(_PREFIX)}" if tag.startswith(_PREFIX) else tag


def _encodable(text: str) -> str:
    """Join the surrogate pairs that JSON escapes use (`\\ud83d\\ude00`) and refuse halves of one."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise ValueError("found half of a surrogate pair; text must be valid Unicode") from None


def _finite(text: str) -> float:
    if _PATTERNS[INT][0].match(text):
        value = _as_float(_integer(text))
    elif text.lower().endswith((".inf", ".nan")):
        value = math.nan
    else:
        value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"found the number {text[:80]}; numbers must be finite")
    return value


def _as_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _integer(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:  # Python's own limit on the digits of a decimal integer
        raise ValueError(
            f"found an integer of {len(text)} digits; up to {sys.get_int_max_str_digits()} are allowed"
        ) from None

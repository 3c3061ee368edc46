"""What a key may be: the same for every store, so that what one of them took the others take as well."""

from __future__ import annotations

import re

LONGEST_KEY = 1024
"""Bytes of UTF-8; the limit of S3."""

LONGEST_SEGMENT = 255
"""Bytes of UTF-8 between two ``/``; the limit of file names."""

INCOMING = ".heta-incoming"
"""The folder in which a local store keeps half-written objects; no segment of a key may be called so."""

_ORDINARY = re.compile(r"(?=.{1,255}$)[\w-][\w.-]*(?:/[\w-][\w.-]*)*+", re.ASCII)
"""What nearly every key is, and keeps every rule: a build checks thousands."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SHOWN = 60


def check_key(key: str) -> str:
    """Return the key, or raise TypeError (no string) or ValueError (a string that is no key)."""
    if not isinstance(key, str):
        raise TypeError(f"a key must be a string, got {type(key).__name__}")
    if _ORDINARY.fullmatch(key):
        return key
    if not key:
        raise ValueError("a key must not be empty")
    problem = _problem(key)
    if problem:
        raise ValueError(f"the key {shown(key)} {problem}")
    return key


def check_prefix(prefix: str) -> str:
    """Return the prefix without a ``/`` at its end; it is empty or keeps the rules of keys."""
    if not isinstance(prefix, str):
        raise TypeError(f"a prefix must be a string, got {type(prefix).__name__}")
    stripped = prefix.rstrip("/")
    return check_key(stripped or prefix) if prefix else ""


def check_data(data: bytes) -> bytes:
    """Return the data, or raise TypeError when it is not bytes."""
    if not isinstance(data, bytes):
        raise TypeError(f"the data of an object must be bytes, got {type(data).__name__}")
    return data


def shown(key: str) -> str:
    """The key in quotes for a message, shortened, with nothing in it that a terminal or a file cannot take."""
    if len(key) <= _SHOWN:
        return ascii(key) if not key.isprintable() else repr(key)
    return f"{shown(key[:_SHOWN])[:-1]}...' ({len(key)} characters)"


def _problem(key: str) -> str | None:
    if "\\" in key:
        return "holds a backslash; segments are separated by '/'"
    if key.startswith("/"):
        return "starts with '/'; keys are relative"
    if _CONTROL.search(key):
        return "holds a control character, which not every store can keep in a key"
    try:
        size = len(key.encode())
    except UnicodeEncodeError:
        return "holds half a surrogate pair, which is no text"
    if size > LONGEST_KEY:
        return f"has {size} bytes in UTF-8; at most {LONGEST_KEY} are allowed"
    return next((problem for segment in key.split("/") if (problem := _segment_problem(segment))), None)


def _segment_problem(segment: str) -> str | None:
    if segment in ("", ".", ".."):
        return f"has the segment {segment!r}; empty segments, '.' and '..' are not allowed"
    if segment == INCOMING:
        return f"has the segment {INCOMING!r}, which is kept for half-written objects"
    if len(segment) * 4 > LONGEST_SEGMENT and (size := len(segment.encode())) > LONGEST_SEGMENT:
        return (
            f"has a segment of {size} bytes in UTF-8, too long for a file name; at most {LONGEST_SEGMENT} are allowed"
        )
    return None

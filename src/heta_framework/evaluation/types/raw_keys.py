"""The segments of a raw document's key: the benchmark's own names where they can be kept, else readable stand-ins."""

from __future__ import annotations

import hashlib
import re

from heta_framework.common.stores.object.keys import INCOMING, LONGEST_SEGMENT

_ROOM = 96
_LONGEST = LONGEST_SEGMENT - 40  # what a store may put behind it
_SUFFIX = re.compile(r"(?<=.)\.[A-Za-z0-9]{1,12}$")
_UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f]")


def segment(value: str) -> str:
    """The value as one segment of a key.

    Itself where every object store takes it, else its letters, digits, ``.``, ``_`` and ``-`` (at most 96) with
    12 hex of the SHA-256 of the whole, so that two values never share a segment and none leads to another folder.
    """
    return value if _fits(value) else _stand_in(value)


def file_segment(name: str) -> str:
    """As `segment`, but what decides on a parser, the suffix, stays at the end."""
    if _fits(name):
        return name
    suffix = _SUFFIX.search(name)
    return _stand_in(name) + (suffix[0] if suffix else "")


def _fits(value: str) -> bool:
    special = value in (".", "..", INCOMING)
    return not special and not _UNSAFE.search(value) and len(value.encode()) <= _LONGEST


def _stand_in(value: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "_", value).strip("._")[:_ROOM] or "document"
    return f"{slug}-{hashlib.sha256(value.encode()).hexdigest()[:12]}"

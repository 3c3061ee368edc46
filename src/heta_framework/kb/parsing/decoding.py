"""Bytes to text: a byte order mark first, then a list of encodings, the first that fits."""

from __future__ import annotations

import codecs

from heta_framework.kb.parsing.protocol import DocumentParseError

ENCODINGS = ("utf-8", "utf-8-sig", "gb18030", "latin-1")
"""The published order. latin-1 fits everything, so with it nothing is refused."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def checked_encodings(encodings: tuple[str, ...]) -> tuple[str, ...]:
    """The encodings as a tuple.

    Raises:
        ValueError: there are none, or one is unknown.
    """
    if not encodings:
        raise ValueError("encodings must not be empty")
    for name in encodings:
        try:
            codecs.lookup(name)
        except LookupError:
            raise ValueError(f"encodings: {name!r} is not an encoding that Python knows") from None
    return tuple(encodings)


def decoded(data: bytes, encodings: tuple[str, ...]) -> str:
    """The text of bytes. NUL, which no store takes in a text, becomes U+FFFD.

    Raises:
        DocumentParseError: none of the encodings fits.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").replace("\0", "\ufffd")
    for encoding in encodings:
        try:
            return data.decode(encoding).replace("\0", "\ufffd")
        except UnicodeDecodeError:
            continue
    raise DocumentParseError(f"its bytes are no text in any of: {', '.join(encodings)}")

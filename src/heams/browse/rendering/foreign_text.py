"""Text of models and data sets, shown as it is: harmless, and with nothing invisible in it.

Escaping of markup is the templates' business. Here control characters (the escape that begins an ANSI colour, a
backspace, a null) and the characters that turn the direction of text around become visible symbols.
"""

import json

import regex
from markupsafe import Markup, escape

_CONTROL = regex.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\u2028\u2029\ufeff\p{Cs}]"
)
_PICTURES = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "\u2421"
_LOW = 0x20


def visible(text: object) -> Markup:
    """The text, escaped, each control character as a marked symbol; line ends and tabs stay.

    A carriage return before a line feed belongs to the line end and is left out.
    """
    plain = str(text).replace("\r\n", "\n")
    if not _CONTROL.search(plain):
        return escape(plain)
    parts: list[str] = []
    place = 0
    for found in _CONTROL.finditer(plain):
        parts += [escape(plain[place : found.start()]), _marked(found.group())]
        place = found.end()
    return Markup("").join([*parts, escape(plain[place:])])


def readable(value: object) -> str:
    """A value of JSON, written out for readers; to be escaped like any other text."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def symbol(character: str) -> str:
    """What stands for a control character: its picture, or its code point."""
    code = ord(character)
    if code < _LOW:
        return chr(_PICTURES + code)
    return _DELETE_PICTURE if code == _DELETE else f"U+{code:04X}"


def _marked(character: str) -> Markup:
    return Markup('<span class="control" title="U+{code:04X}">{symbol}</span>').format(
        code=ord(character), symbol=symbol(character)
    )

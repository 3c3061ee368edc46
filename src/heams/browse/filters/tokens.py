"""Splits the text of a filter into tokens, each with its place.

What a character means depends on where it stands: after an operator come values, anywhere else come terms. There may
be spaces around operators. Quotes keep everything together; inside them ``\\"`` and ``\\\\`` stand for a quote and a
backslash.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import cast

from heams.browse.filters.errors import FilterError


class Kind(Enum):
    """What a token is."""

    OPEN = auto()
    CLOSE = auto()
    MINUS = auto()
    NOT = auto()
    AND = auto()
    OR = auto()
    FIELD = auto()
    OPERATOR = auto()
    COMMA = auto()
    VALUE = auto()
    WORD = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: ``text`` without quotes and slashes, from ``start`` up to ``end`` (excluded).

    ``quoted`` and ``regex`` say how it was written. ``tag`` is the tag's name of a field ``tag.<name>``. ``whole`` is
    False where the closing quote or slash is missing.
    """

    kind: Kind
    text: str
    start: int
    end: int
    quoted: bool = False
    regex: bool = False
    tag: str | None = None
    whole: bool = True


_OPERATOR = re.compile(r"<=|>=|!=|[:=<>~]")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)("?)', re.DOTALL)
_REGEX = re.compile(r"/((?:[^/\\]|\\.)*)(/?)", re.DOTALL)
_FIELD = re.compile(r'([A-Za-z]\w*)(?:\.(?:"((?:[^"\\]|\\.)*)"|([^\s:<>=!~(),"]+)))?(?=\s*(?:!=|[:=<>~]))', re.DOTALL)
_WORD = re.compile(r'[^\s()"]+')
_VALUE = re.compile(r'[^\s()",]+')
_SPACE = re.compile(r"\s*")
_SINGLE = {"(": Kind.OPEN, ")": Kind.CLOSE, "-": Kind.MINUS}
_KEYWORDS = {"AND": Kind.AND, "OR": Kind.OR, "NOT": Kind.NOT}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def unescaped(text: str) -> str:
    """The inside of a quoted text without its backslashes."""
    return _ESCAPED.sub(r"\1", text)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of ``text``, also of one that is being written: whoever needs whole ones checks ``whole``.

    Raises:
        FilterError: an operator stands where a term is expected.
    """
    position = _after_space(text, 0)
    while position < len(text):
        for token in _term(text, position):
            yield token
            position = token.end
        position = _after_space(text, position)


def _after_space(text: str, position: int) -> int:
    return _match(_SPACE, text, position).end()


def _match(pattern: re.Pattern[str], text: str, position: int) -> re.Match[str]:
    """The match of a pattern where it cannot fail: the caller looked at what stands there."""
    return cast("re.Match[str]", pattern.match(text, position))


def _term(text: str, position: int) -> Iterator[Token]:
    single = _SINGLE.get(text[position])
    if single is not None:
        yield Token(single, text[position], position, position + 1)
    elif text[position] == '"':
        yield _quoted(Kind.WORD, text, position)
    elif found := _FIELD.match(text, position):
        name, quoted_tag, bare_tag = found.groups()
        tag = bare_tag if quoted_tag is None else unescaped(quoted_tag)
        yield Token(Kind.FIELD, name, position, found.end(), tag=tag)
        yield from _comparison(text, found.end())
    else:
        yield _word(text, position)


def _word(text: str, position: int) -> Token:
    stray = _OPERATOR.match(text, position)
    if stray:
        problem = f"found '{stray[0]}' without a field before it; quote it to search for it as text"
        raise FilterError(problem, position, stray.end(), found=stray[0])
    found = _match(_WORD, text, position)
    return Token(_KEYWORDS.get(found[0], Kind.WORD), found[0], position, found.end())


def _comparison(text: str, position: int) -> Iterator[Token]:
    operator = _match(_OPERATOR, text, _after_space(text, position))
    yield Token(Kind.OPERATOR, ":" if operator[0] == "=" else operator[0], operator.start(), operator.end())
    position = operator.end()
    while value := _value(text, _after_space(text, position), regex=operator[0] == "~"):
        yield value
        position = value.end
        if not text.startswith(",", position):
            return
        yield Token(Kind.COMMA, ",", position, position + 1)
        position += 1


def _value(text: str, position: int, *, regex: bool) -> Token | None:
    if text.startswith('"', position):
        return _quoted(Kind.VALUE, text, position)
    if regex and text.startswith("/", position):
        found = _match(_REGEX, text, position)
        pattern = found[1].replace("\\/", "/")
        return Token(Kind.VALUE, pattern, position, found.end(), regex=True, whole=bool(found[2]))
    bare = _VALUE.match(text, position)
    return Token(Kind.VALUE, bare[0], position, bare.end()) if bare else None


def _quoted(kind: Kind, text: str, position: int) -> Token:
    found = _match(_QUOTED, text, position)
    return Token(kind, unescaped(found[1]), position, found.end(), quoted=True, whole=bool(found[2]))

"""What may come next in a filter that is being written: fields, operators, names of tags, and values with counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal as Names

from heams.browse.filters.errors import FilterError
from heams.browse.filters.fields import FIELDS, TAG, Field
from heams.browse.filters.syntax import FieldRef, Literal, Operator
from heams.browse.filters.text import field_text, value_text
from heams.browse.filters.tokens import Kind, Token, tokens

MOST = 20
"""Completions that are offered at once."""
_REST_OF_NAME = re.compile(r'[^\s()":<>=!~,]*')
_WORDING = {
    Operator.EQUALS: "is (several values with commas)",
    Operator.DIFFERS: "is not",
    Operator.CONTAINS: "contains, or matches /a regular expression/",
    Operator.LESS: "less than",
    Operator.AT_MOST: "at most",
    Operator.MORE: "more than",
    Operator.AT_LEAST: "at least",
}


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A value and in how many records it is found; ``count`` is None where that is not known."""

    value: str
    count: int | None


@dataclass(frozen=True, slots=True)
class KnownValues:
    """What there is to choose from: values by field name, and values by tag name."""

    fields: Mapping[str, Sequence[ValueCount]] = field(default_factory=dict)
    tags: Mapping[str, Sequence[ValueCount]] = field(default_factory=dict)

    def of(self, ref: FieldRef) -> Sequence[ValueCount]:
        """The values of a field; all choices of a field that has choices."""
        if ref.tag is not None:
            return self.tags.get(ref.tag, ())
        found = self.fields.get(ref.name, ())
        counts = {value.value: value.count for value in found}
        choices = FIELDS[ref.name].choices if ref.name in FIELDS else ()
        return [ValueCount(choice, counts.get(choice, 0 if found else None)) for choice in choices] or found


@dataclass(frozen=True, slots=True)
class Completion:
    """``text`` goes in place of the characters from ``start`` up to ``end`` (excluded).

    ``label`` is what to show, ``detail`` explains it, ``count`` is the number of records of a value.
    """

    text: str
    label: str
    start: int
    end: int
    kind: Names["field", "operator", "tag", "value"]
    detail: str = ""
    count: int | None = None


def complete(text: str, cursor: int, known: KnownValues) -> list[Completion]:
    """What may stand at ``cursor`` (characters from 0), best first, at most ``MOST``."""
    cursor = max(0, min(cursor, len(text)))
    try:
        written = list(tokens(text[:cursor]))
    except FilterError:
        return []
    last = written[-1] if written else None
    if last is None:
        return _fields("", cursor, cursor, known)[:MOST]
    if last.kind in (Kind.OPERATOR, Kind.COMMA):
        return _values(written, "", cursor, text, known)[:MOST]
    if last.end < cursor or (last.quoted and last.whole):
        return _fields("", cursor, cursor, known)[:MOST]
    if last.kind is Kind.VALUE:
        return [] if last.regex else _values(written[:-1], last.text, last.start, text, known)[:MOST]
    if last.kind is Kind.WORD and not last.quoted:
        return _names(last, text, known)[:MOST]
    return [] if last.quoted else _fields("", cursor, cursor, known)[:MOST]


def _names(word: Token, text: str, known: KnownValues) -> list[Completion]:
    exact = FIELDS.get(word.text.lower())
    if exact is not None and exact.name != TAG:
        return [*_operators(exact, word), *_fields(word.text, word.start, _end_of_name(text, word.end), known)]
    return _fields(word.text, word.start, _end_of_name(text, word.end), known)


def _operators(field_: Field, word: Token) -> list[Completion]:
    return [
        Completion(operator.value, f"{field_.name}{operator}", word.end, word.end, "operator", _WORDING[operator])
        for operator in field_.operators
    ]


def _fields(prefix: str, start: int, end: int, known: KnownValues) -> list[Completion]:
    offered = [*_plain_fields(start, end), *_tags(start, end, known)]
    return _matching(offered, prefix)


def _plain_fields(start: int, end: int) -> Iterator[Completion]:
    for name, field_ in FIELDS.items():
        if name != TAG:
            text = name if field_.kind == "number" else f"{name}{field_.operators[0]}"
            yield Completion(text, name, start, end, "field", field_.description)


def _tags(start: int, end: int, known: KnownValues) -> Iterator[Completion]:
    for tag, values in known.tags.items():
        name = field_text(FieldRef(TAG, tag))
        sample = ", ".join(value.value for value in values[:3])
        yield Completion(f"{name}:", f"{TAG}.{tag}", start, end, "tag", sample)


def _values(written: Sequence[Token], prefix: str, start: int, text: str, known: KnownValues) -> list[Completion]:
    name = next(token for token in reversed(written) if token.kind is Kind.FIELD)
    operator = next(Operator(token.text) for token in reversed(written) if token.kind is Kind.OPERATOR)
    ref = FieldRef(name.text.lower(), name.tag)
    end = _end_of_name(text, start + len(prefix)) if text[start : start + 1] != '"' else _end_of_quotes(text, start)
    offered = [
        Completion(value_text(Literal(value.value), operator), value.value, start, end, "value", count=value.count)
        for value in known.of(ref)
    ]
    return _matching(offered, prefix)


def _end_of_name(text: str, position: int) -> int:
    rest = _REST_OF_NAME.match(text, position)
    return rest.end() if rest else position


def _end_of_quotes(text: str, start: int) -> int:
    closing = text.find('"', start + 1)
    return len(text) if closing < 0 else closing + 1


def _matching(offered: Sequence[Completion], prefix: str) -> list[Completion]:
    """Those whose label begins with ``prefix``, then those in which a part of it does, then those that contain it."""
    wanted = prefix.lower()
    ranked = [(_rank(completion.label.lower(), wanted), completion) for completion in offered]
    return [completion for rank, completion in sorted(ranked, key=lambda pair: pair[0]) if rank < 3]


def _rank(label: str, wanted: str) -> int:
    if label.startswith(wanted):
        return 0
    if re.search(rf"[\W_]{re.escape(wanted)}", label):
        return 1
    return 2 if wanted in label else 3

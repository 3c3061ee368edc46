"""Long texts cut to what a cell holds: around the words that were searched for, else what two texts have in common."""

from collections.abc import Iterator, Mapping
from time import perf_counter

import regex
from markupsafe import Markup

from heams.browse.filters import Filter
from heams.browse.filters.expressions import SEARCHED
from heams.browse.filters.fields import TEXT
from heams.browse.filters.syntax import AllOf, AnyOf, Literal, Operator, Regex, Term
from heams.browse.rendering.foreign_text import visible
from heams.browse.rendering.word_diff import word_diff

LIMIT = 280
"""Characters of a cell."""
_SEEN = 100
"""Characters that a narrow cell shows of its text."""
_LEAD = 40
"""Characters before the first word that was found, where it is behind those."""
_SECONDS = 0.05
"""How long the texts of a page may be searched in one field: this engine is not RE2, and may be slow."""


class Needle:
    """What is searched for in one field of a page. Once its time is spent, it finds nothing more."""

    def __init__(self, pattern: "regex.Pattern[str]") -> None:
        self._pattern = pattern
        self._seconds = _SECONDS

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it is found."""
        if self._seconds <= 0:
            return []
        begun = perf_counter()
        try:
            return [
                one.span() for one in self._pattern.finditer(text, timeout=self._seconds) if one.end() > one.start()
            ]
        except TimeoutError:
            return []
        finally:
            self._seconds -= perf_counter() - begun


Needles = Mapping[str, Needle]


def needles(filter_: Filter) -> Needles:
    """What the filter searches for in each field."""
    found: dict[str, list[str]] = {}
    for field, pattern in _patterns(filter_):
        found.setdefault(field, []).append(pattern)
    return {field: compiled for field, patterns in found.items() if (compiled := _compiled(patterns)) is not None}


def excerpt(text: str, needle: Needle | None) -> Markup:
    """The beginning of a text, or what is around the first match, with every match marked."""
    spans = needle.spans(text) if needle is not None else []
    start = max(spans[0][0] - _LEAD, 0) if spans and spans[0][1] > _SEEN else 0
    end = min(start + LIMIT, len(text))
    parts, done = [Markup("…") if start else Markup("")], start
    for begin, stop in spans:
        if begin >= end:
            break
        stop = min(stop, end)
        parts += [visible(text[done:begin]), Markup("<mark>"), visible(text[begin:stop]), Markup("</mark>")]
        done = stop
    return Markup("").join([*parts, visible(text[done:end]), Markup("…") if end < len(text) else Markup("")])


def in_common(first: str, second: str) -> tuple[Markup, Markup]:
    """The beginnings of two texts, the words in both marked."""
    found = word_diff(first[:LIMIT], second[:LIMIT])
    return _cut(found.first, first), _cut(found.second, second)


def _cut(shown: Markup, text: str) -> Markup:
    return shown + Markup("…") if len(text) > LIMIT else shown


def _patterns(filter_: Filter) -> Iterator[tuple[str, str]]:
    """Fields and expressions of what is searched for, not of what is to be absent."""
    match filter_:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _patterns(part)
        case Term(field, Operator.CONTAINS, values):
            for name in SEARCHED if field.name == TEXT else (field.name,):
                for value in values:
                    if isinstance(value, Literal) and value.text:
                        yield name, regex.escape(value.text, literal_spaces=True)
                    elif isinstance(value, Regex):
                        yield name, f"(?:{value.pattern})"
        case _:
            yield from ()


def _compiled(patterns: list[str]) -> Needle | None:
    try:
        return Needle(regex.compile("|".join(patterns), regex.IGNORECASE))
    except regex.error:
        return None  # RE2 knows what this engine does not: the rows are right, and nothing is marked

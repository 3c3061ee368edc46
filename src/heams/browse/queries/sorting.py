"""In which order rows come: by any columns, ties always in the same way."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heams.browse.filters.expressions import EXPRESSIONS, Expression, Parameters, Source, expression_of
from heams.browse.filters.fields import FIELDS, TAG
from heams.browse.filters.syntax import FieldRef
from heams.browse.filters.text import field_text
from heams.browse.filters.tokens import unescaped
from heams.reporting.verdicts import VERDICTS
from heta_framework.common.config import nearest

MOST_KEYS = 32
"""Columns to sort by at once."""
_SHOWN = 100
"""Characters of a name that an error repeats."""


class SortError(ValueError):
    """An order that cannot be: ``nearest`` is the column that is meant, perhaps."""

    def __init__(self, problem: str, nearest: str | None = None) -> None:
        super().__init__(problem)
        self.nearest = nearest


def _no_column(text: str) -> SortError:
    found = text[:_SHOWN]
    allowed, near = (*EXPRESSIONS, f"{TAG}.<name>"), nearest(found, EXPRESSIONS)
    hint = f"; did you mean '{near}'?" if near else ""
    return SortError(f"there is no column '{found}' to sort by{hint}; allowed: {', '.join(allowed)}", near)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One column, upwards or downwards. Rows without a value always come last."""

    field: FieldRef
    descending: bool = False

    def __str__(self) -> str:
        return f"{'-' if self.descending else ''}{field_text(self.field)}"


Sort = tuple[SortKey, ...]
_KEY = re.compile(r'\s*(-?)([^,."]*)(?:\.(?:"((?:[^"\\]|\\.)*)"|([^,"]+)))?\s*(,|$)', re.DOTALL)
_RANKED_VERDICTS = f"list_position({list(VERDICTS)}, r.verdict)"


def parse_sort(text: str) -> Sort:
    """The order that a URL writes as ``-value,tag.category``: columns, the first most important, ``-`` for downwards.

    Raises:
        SortError: there is no such column, or there are too many.
    """
    keys: list[SortKey] = []
    position = 0
    while text.strip() and position < len(text):
        found = _KEY.match(text, position)
        if found is None:
            raise _no_column(text[position:])
        descending, name, quoted, bare, _ = found.groups()
        tag = bare if quoted is None else unescaped(quoted)
        if (name == TAG) != (tag is not None) or (name != TAG and name not in EXPRESSIONS):
            raise _no_column(found[0].strip(" ,-"))
        if len(keys) == MOST_KEYS:
            raise SortError(f"an order has at most {MOST_KEYS} columns, found more")
        keys.append(SortKey(FieldRef(name, tag), bool(descending)))
        position = found.end()
    return tuple(keys)


def sort_text(sort: Sequence[SortKey]) -> str:
    """How a URL writes the order."""
    return ",".join(map(str, sort))


@dataclass(frozen=True, slots=True)
class Ordering:
    """The expressions to order by with their directions, the parameters of these, and the tables that they need."""

    expressions: tuple[str, ...]
    directions: tuple[str, ...]
    parameters: Mapping[str, object]
    sources: frozenset[Source]

    @property
    def columns(self) -> str:
        """What stands after SELECT: ``position``, ``place``, and the expressions as ``k0``, ``k1`` and so on."""
        named = (f"{one} AS k{place}" for place, one in enumerate(self.expressions))
        return ", ".join(["r.position AS position", "r.place AS place", *named])

    @property
    def by_columns(self) -> str:
        """What stands after ORDER BY where the columns were selected so. No two rows are equal in it."""
        named = (f"k{place} {direction} NULLS LAST" for place, direction in enumerate(self.directions))
        return ", ".join([*named, "position", "place"])


def ordering(sort: Sequence[SortKey]) -> Ordering:
    """The order as SQL: without keys that of the tables."""
    parameters = Parameters("o")
    found = [expression_of(key.field, parameters) for key in sort]
    return Ordering(
        tuple(_ranked(key, one) for key, one in zip(sort, found, strict=True)),
        tuple("DESC" if key.descending else "ASC" for key in sort),
        parameters.values,
        frozenset(one.source for one in found),
    )


def _ranked(key: SortKey, expression: Expression) -> str:
    if key.field.name == "verdict":
        return _RANKED_VERDICTS
    return f"lower({expression.sql})" if FIELDS[key.field.name].kind == "text" else expression.sql

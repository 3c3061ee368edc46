"""What the address of a comparison asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from starlette.datastructures import QueryParams

from heams.browse.pages.errors import Link, Problem
from heams.browse.rendering import links
from heams.reporting.compare import ALLOWABLE, CELLS, Cell
from heta_framework.common.config import nearest

Only = Literal["different", ""]
WITHOUT = "(without it)"
"""The group of pairs that do not have the tag, in addresses too."""
_MOST_DIGITS = 9
_LONGEST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """``a`` and ``b`` are keys, empty where none is chosen; ``metric`` is ``evaluator/metric``, empty for the first.

    ``cell``, ``only`` and ``group`` (a value of the tag ``by``) choose pairs, ``page`` (from 1) a part of them.
    ``sample``, with ``step`` and ``ordinal``, is the pair that is shown instead of the list.
    """

    a: str
    b: str
    metric: str
    by: str
    allow: tuple[str, ...]
    cell: Cell | None
    only: Only
    group: str | None
    page: int
    sample: str | None
    step: int | None
    ordinal: int

    @property
    def chosen(self) -> Cell | None:
        """The cell whose pairs are listed."""
        return self.cell or self.only or None


def asked(given: QueryParams) -> Asked:
    """Read the parameters.

    Raises:
        Problem: there is something else in it than what is allowed.
    """
    a, b = given.get("a", ""), given.get("b", "")
    start = [Link("The comparison without it", links.compare(a, b))]
    cell = _one_of("cell", given.get("cell", ""), CELLS, start)
    only = _one_of("only", given.get("only", ""), tuple(word for word in get_args(Only) if word), start)
    for name in given.getlist("allow"):
        _one_of("allow", name, ALLOWABLE, start)
    return Asked(
        a=a,
        b=b,
        metric=given.get("metric", ""),
        by=given.get("by", ""),
        allow=tuple(dict.fromkeys(name for name in given.getlist("allow") if name)),
        cell=cast("Cell | None", cell or None),
        only=cast("Only", only),
        group=given.get("group"),
        page=_number(given, "page", 1) or 1,
        sample=given.get("id"),
        step=_number(given, "step"),
        ordinal=_number(given, "ordinal", 1) or 1,
    )


def _one_of(name: str, value: str, allowed: Sequence[str], start: Sequence[Link]) -> str:
    if value and value not in allowed:
        near = nearest(value[:_LONGEST_SHOWN], allowed)
        hint = f" Did you mean {near}?" if near else ""
        shown = value[:_LONGEST_SHOWN]
        raise Problem(f"{name}: found “{shown}”; allowed are {', '.join(allowed)}.{hint}", start)
    return value


def _number(given: QueryParams, name: str, smallest: int = 0) -> int | None:
    text = given.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and int(text) >= smallest):
        raise Problem(f"{name}: found “{text[:_LONGEST_SHOWN]}”; allowed are whole numbers from {smallest}.")
    return int(text)

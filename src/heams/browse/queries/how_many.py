"""How many rows are selected, and how many each term of a filter would leave alone."""

from dataclasses import dataclass, replace

from heams.browse.filters.edits import joined, parts_of
from heams.browse.filters.syntax import Filter
from heams.browse.queries.selection import Selection, relation
from heams.reporting.tables import Tables

_MOST_TERMS = 20


@dataclass(frozen=True, slots=True)
class TermCount:
    """A term of a filter: the rows to which it applies ``alone``, and those that all others leave ``without`` it.

    ``others`` is the filter without the term.
    """

    term: Filter
    others: Filter
    alone: int
    without: int


def how_many(tables: Tables, selection: Selection) -> int:
    """The number of selected rows."""
    source = relation(selection)
    (count,) = tables.row(f"SELECT count(*) FROM {source.sql}", source.parameters)  # noqa: S608 - bound values
    return int(count)


def term_counts(tables: Tables, selection: Selection) -> list[TermCount]:
    """What each of the filter's terms leaves, which tells the one that leaves nothing; none of more than 20 terms."""
    terms = len(parts_of(selection.filter))
    return [_counted(tables, selection, place) for place in range(terms)] if terms <= _MOST_TERMS else []


def _counted(tables: Tables, selection: Selection, place: int) -> TermCount:
    parts = parts_of(selection.filter)
    others = joined([*parts[:place], *parts[place + 1 :]])
    alone = how_many(tables, replace(selection, filter=parts[place]))
    return TermCount(parts[place], others, alone, how_many(tables, replace(selection, filter=others)))

"""Facets: for each field with few values, how many rows each value would leave.

The counts of a facet ignore the filter's own terms on its field, so that one sees what else could be chosen.
"""

from dataclasses import dataclass

from heams.browse.filters.edits import chosen
from heams.browse.filters.fields import FIELDS
from heams.browse.filters.syntax import AllOf, FieldRef, Filter, Literal, Not, Term
from heams.browse.filters.text import field_text
from heams.browse.queries.counts import NO_COUNTS, Counts, counts_of
from heams.browse.queries.selection import Selection
from heams.reporting.tables import Tables

MOST_VALUES = 20
"""Values that a facet lists, beside the chosen ones."""
_FIELDS = ("verdict", "outcome", "criterion", "history")
"""Those of tags come before the last."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, the rows that it would leave, and whether the filter chooses it."""

    value: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A field's values, most frequent first (verdicts and outcomes in their own order); ``more`` are not listed."""

    field: FieldRef
    values: tuple[FacetValue, ...]
    more: int = 0

    @property
    def name(self) -> str:
        """How the field is written in a filter."""
        return field_text(self.field)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values that the filter chooses."""
        return tuple(value.value for value in self.values if value.chosen)


def facets(tables: Tables, selection: Selection, most: int = MOST_VALUES) -> list[Facet]:
    """The facets of verdict, outcome, criterion, each tag and history; fields without any value have none.

    One query answers for all fields that the filter does not name, and one for each that it does.
    """
    named = _named(selection.filter)
    plain = [FieldRef(name) for name in _FIELDS]
    counts = counts_of(tables, selection, [ref for ref in plain if ref not in named], most=most)
    for ref in named:
        wanted = _chosen(selection.filter, ref)
        own = counts_of(tables, selection.ignoring(ref), [ref], tags=ref.tag is not None, most=most, kept=wanted)
        counts[ref] = own.get(ref, NO_COUNTS)
    tags = sorted((ref for ref in counts if ref.tag is not None), key=field_text)
    found = (_built(selection.filter, ref, counts.get(ref, NO_COUNTS)) for ref in (*plain[:-1], *tags, plain[-1]))
    return [facet for facet in found if facet.values]


def _named(filter_: Filter) -> list[FieldRef]:
    """Fields with facets on which the filter has terms of its own."""
    parts = filter_.parts if isinstance(filter_, AllOf) else (filter_,)
    inner = (part.inner if isinstance(part, Not) else part for part in parts)
    refs = (part.field for part in inner if isinstance(part, Term))
    return list(dict.fromkeys(ref for ref in refs if ref.tag is not None or ref.name in _FIELDS))


def _built(filter_: Filter, ref: FieldRef, counts: Counts) -> Facet:
    wanted = _chosen(filter_, ref)
    listed = [FacetValue(value, n, value.lower() in wanted) for value, n in counts.listed]
    present = {value.value.lower() for value in listed}
    listed += [FacetValue(value, 0, True) for lower, value in wanted.items() if lower not in present]
    choices = FIELDS[ref.name].choices
    if choices:
        rank = {choice: place for place, choice in enumerate(choices)}
        listed.sort(key=lambda value: rank.get(value.value, len(rank)))
    return Facet(ref, tuple(listed), counts.values - len(counts.listed))


def _chosen(filter_: Filter, ref: FieldRef) -> dict[str, str]:
    """The chosen values by their lower case."""
    return {value.text.lower(): value.text for value in chosen(filter_, ref) if isinstance(value, Literal)}

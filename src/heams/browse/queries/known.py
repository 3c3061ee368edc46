"""The values that completion offers, with their counts."""

from heams.browse.filters.completion import KnownValues, ValueCount
from heams.browse.filters.syntax import FieldRef
from heams.browse.queries.counts import counts_of
from heams.browse.queries.selection import Selection
from heams.reporting.tables import Tables

_FIELDS = ("verdict", "outcome", "passed", "criterion", "history", "status", "evaluator", "metric", "label")
_MOST = 200


def known_values(tables: Tables, selection: Selection, most: int = _MOST) -> KnownValues:
    """Values of the fields that have few, and of all tags: the ``most`` frequent ones of each."""
    found = counts_of(tables, selection, [FieldRef(name) for name in _FIELDS], most=most)
    values = {ref: [ValueCount(value, n) for value, n in counts.listed] for ref, counts in found.items()}
    return KnownValues(
        {ref.name: listed for ref, listed in values.items() if ref.tag is None},
        {ref.tag: listed for ref, listed in values.items() if ref.tag is not None},
    )


def tag_names(tables: Tables, selection: Selection) -> list[str]:
    """The names of all tags of the selected rows."""
    return sorted(ref.tag for ref in counts_of(tables, selection, (), most=1) if ref.tag is not None)

"""The tags by whose values pairs can be grouped."""

from collections.abc import Iterator

from heams.criteria import CRITERION
from heams.reporting.compare.groups import MOST_GROUPS
from heams.reporting.tables import Tables

_FEWEST = 2
_CRITERIA = "SELECT count(DISTINCT criterion) FROM records"
_TAGS = """
    SELECT entry.key FROM (SELECT unnest(map_entries(tags)) AS entry FROM tag_sets)
    GROUP BY entry.key HAVING count(DISTINCT entry.value) BETWEEN $fewest AND $most ORDER BY entry.key
"""


def grouping_tags(*sides: Tables) -> tuple[str, ...]:
    """The tags that have several values on every side, but not so many that they name questions; criteria first."""
    first, *others = ([*_tags(tables)] for tables in sides)
    return tuple(tag for tag in first if all(tag in known for known in others))


def _tags(tables: Tables) -> Iterator[str]:
    if _FEWEST <= tables.row(_CRITERIA)[0] <= MOST_GROUPS:
        yield CRITERION
    for (tag,) in tables.rows(_TAGS, {"fewest": _FEWEST, "most": MOST_GROUPS}):
        if tag != CRITERION:
            yield tag

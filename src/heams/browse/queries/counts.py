"""How often each value of fields is found among the selected rows: many fields in one pass over the records."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heams.browse.filters.expressions import EXPRESSIONS
from heams.browse.filters.syntax import FieldRef
from heams.browse.queries.selection import Selection, relation
from heams.reporting.tables import Tables


@dataclass(frozen=True, slots=True)
class Counts:
    """``listed`` values with the number of their rows, most frequent first, of ``values`` that there are."""

    listed: tuple[tuple[str, int], ...]
    values: int


NO_COUNTS = Counts((), 0)
_RANKED = """
    WITH selected AS MATERIALIZED (SELECT {columns} FROM {source}),
         found AS ({found}),
         counted AS (SELECT field, tag, value, count(*) AS n FROM found WHERE value IS NOT NULL GROUP BY ALL),
         ranked AS (
             SELECT *, count(*) OVER (PARTITION BY field, tag) AS values,
                    row_number() OVER (PARTITION BY field, tag ORDER BY n DESC, value) AS place
             FROM counted
         )
    SELECT field, tag, value, n, values FROM ranked
    WHERE place <= $most OR list_contains(CAST($kept AS VARCHAR[]), lower(value)) ORDER BY field, tag, place
"""
_OF_FIELD = "SELECT '{name}' AS field, NULL AS tag, c{place} AS value FROM selected"
_OF_TAGS = """SELECT 'tag' AS field, entry.key AS tag, entry.value AS value
    FROM (SELECT unnest(map_entries(tags)) AS entry FROM selected)"""


def counts_of(
    tables: Tables,
    selection: Selection,
    refs: Sequence[FieldRef],
    *,
    tags: bool = True,
    most: int,
    kept: Iterable[str] = (),
) -> dict[FieldRef, Counts]:
    """Counts of the fields ``refs`` and, with ``tags``, of every tag; fields without any value are left out.

    Of each the ``most`` frequent values are listed, and those whose lower case is in ``kept``.
    """
    names = [ref.name for ref in refs if ref.tag is None]
    expressions = [EXPRESSIONS[name] for name in names]
    source = relation(selection, {one.source for one in expressions})
    columns = [f"{one.sql} AS c{place}" for place, one in enumerate(expressions)]
    found = [_OF_FIELD.replace("{name}", name).replace("{place}", str(place)) for place, name in enumerate(names)]
    if tags:
        columns, found = [*columns, "r.tags AS tags"], [*found, _OF_TAGS]
    if not found:
        return {}
    query = _RANKED.replace("{columns}", ", ".join(columns)).replace("{found}", " UNION ALL ".join(found))
    parameters = {**source.parameters, "most": most, "kept": list(kept)}
    return _gathered(tables.rows(query.replace("{source}", source.sql), parameters))


def _gathered(rows: Iterable[tuple[str, str | None, str, int, int]]) -> dict[FieldRef, Counts]:
    listed: dict[FieldRef, list[tuple[str, int]]] = {}
    values: dict[FieldRef, int] = {}
    for field, tag, value, n, how_many in rows:
        ref = FieldRef(field, tag)
        listed.setdefault(ref, []).append((value, n))
        values[ref] = how_many
    return {ref: Counts(tuple(found), values[ref]) for ref, found in listed.items()}

"""Sub-metrics: every metric within each value of each tag that groups records."""

from collections.abc import Iterator
from dataclasses import dataclass

from heams.criteria import CRITERION
from heams.reporting.metrics import MetricSummary, grouped_summaries
from heams.reporting.tables import Tables

FEWEST, MOST = 2, 30
"""How many values a tag has when it groups records: with one it says nothing, with many it names them."""
NAMES = 10
"""From so many values on, a tag that has another one for every question names questions too."""


@dataclass(frozen=True, slots=True)
class TagTable:
    """``rows`` by value of the tag (None: records without it). ``twins`` are tags that group the records alike."""

    tag: str
    rows: dict[str | None, list[MetricSummary]]
    twins: tuple[str, ...] = ()


def tag_tables(tables: Tables) -> list[TagTable]:
    """The criterion first, then the tags by name. Tags that group like an earlier one are its twins."""
    groups: list[tuple[str, list[str]]] = []
    for tag in _grouping_tags(tables):
        twin = next((twins for first, twins in groups if _group_alike(tables, first, tag)), None)
        if twin is None:
            groups.append((tag, []))
        else:
            twin.append(tag)
    return [TagTable(tag, _rows(tables, tag), tuple(twins)) for tag, twins in groups]


def _grouping_tags(tables: Tables) -> Iterator[str]:
    if FEWEST <= tables.row("SELECT count(DISTINCT criterion) FROM records")[0] <= MOST:
        yield CRITERION
    rows = tables.rows(
        """
        SELECT entry.key FROM (SELECT unnest(map_entries(tags)) AS entry FROM tag_sets)
        GROUP BY entry.key HAVING count(DISTINCT entry.value) BETWEEN $fewest AND $most ORDER BY entry.key
        """,
        {"fewest": FEWEST, "most": MOST},
    )
    yield from (tag for (tag,) in rows if tag != CRITERION and not _names_questions(tables, tag))


def _names_questions(tables: Tables, tag: str) -> bool:
    ((values, questions),) = tables.rows(
        """
        SELECT count(DISTINCT tags[$tag]), count(DISTINCT (sample_id, step_index)) FROM records
        WHERE tags[$tag] IS NOT NULL
        """,
        {"tag": tag},
    )
    return bool(values == questions and values >= NAMES)


def _group_alike(tables: Tables, first: str, second: str) -> bool:
    """Whether two tags divide the records into the same groups, whatever these are called."""
    query = """
        SELECT count(DISTINCT {a}), count(DISTINCT {b}), count(DISTINCT ({a}, {b})) FROM records
    """
    left, right = (f"coalesce({value_of(tag)}, '')" for tag in (first, second))
    ((one, other, both),) = tables.rows(
        query.replace("{a}", left.replace("$tag", "$first")).replace("{b}", right.replace("$tag", "$second")),
        {name: tag for name, tag in (("first", first), ("second", second)) if tag != CRITERION},
    )
    return bool(one == other == both)


def _rows(tables: Tables, tag: str) -> dict[str | None, list[MetricSummary]]:
    parameters = {} if tag == CRITERION else {"tag": tag}
    found = grouped_summaries(tables, value_of(tag), parameters=parameters)
    return dict(sorted(found.items(), key=lambda row: (row[0] is None, row[0] or "")))


def value_of(tag: str) -> str:
    """SQL over ``records`` for the value of a tag, whose name is the parameter ``tag``; the criterion needs none."""
    return CRITERION if tag == CRITERION else "tags[$tag]"

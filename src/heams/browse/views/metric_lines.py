"""Metrics of an experiment as lines of its overview: overall, and within each value of a tag."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from heams.browse.filters import with_term
from heams.criteria import CRITERION
from heams.reporting.digest import Digest
from heams.reporting.metrics import MetricSummary, names
from heams.reporting.tag_tables import TagTable
from heams.reporting.wording import spelled_out

MOST_COLUMNS = 4
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class MetricLine:
    """A metric: its name in tables, in addresses (``evaluator/metric``), what it is, the ends of its line."""

    name: str
    metric: str
    of: MetricSummary
    note: str | None
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class TagRow:
    """A value of a tag: what it is called, the filter that finds it, and the metrics of the columns within it."""

    name: str
    q: str
    cells: tuple[MetricSummary | None, ...]


@dataclass(frozen=True, slots=True)
class TagLines:
    """A tag that groups verdicts. ``twins`` are tags that group alike."""

    tag: str
    columns: tuple[MetricLine, ...]
    rows: tuple[TagRow, ...]
    twins: tuple[str, ...]
    left_out: int


def metric_lines(digest: Digest) -> list[MetricLine]:
    """Every metric, those of the headline first."""
    name = names(digest.metrics)
    return [_line(digest, one, name[one.evaluator, one.metric]) for one in digest.metrics]


def tag_lines(digest: Digest, tables: Iterable[TagTable], lines: Sequence[MetricLine]) -> list[TagLines]:
    """The criterion first, then each tag that groups verdicts."""
    columns = tuple(lines[:MOST_COLUMNS])
    return [
        TagLines(
            found.tag, columns, tuple(_rows(digest, found, columns)), found.twins, max(0, len(lines) - len(columns))
        )
        for found in tables
    ]


def _line(digest: Digest, metric: MetricSummary, name: str) -> MetricLine:
    ends = [0.0, *([metric.summary.mean] if metric.summary.mean is not None else [])]
    if metric.summary.interval is not None:
        ends += [metric.summary.interval.low, metric.summary.interval.high]
    within = min(ends) >= 0 and max(ends) <= 1
    return MetricLine(
        name, f"{metric.evaluator}/{metric.metric}", metric, _note(digest, metric.metric),
        min(ends), 1.0 if within else max(ends),
    )  # fmt: skip


def _note(digest: Digest, metric: str) -> str | None:
    """What a metric is, in the words of reports."""
    sentence = next(spelled_out([metric], digest.info.metric_notes), None)
    if sentence is None:
        return None
    meaning = _ESCAPED.sub(r"\1", sentence.partition("* is ")[2])
    return meaning[:1].upper() + meaning[1:]


def _rows(digest: Digest, table: TagTable, columns: Sequence[MetricLine]) -> Iterator[TagRow]:
    field = CRITERION if table.tag == CRITERION else f"tag.{table.tag}"
    for value, metrics in _in_order(digest, table):
        by_key = {(one.evaluator, one.metric): one for one in metrics}
        cells = tuple(by_key.get((column.of.evaluator, column.of.metric)) for column in columns)
        yield TagRow(_called(digest, table, value), with_term("", field, value), cells)


def _in_order(digest: Digest, table: TagTable) -> list[tuple[str | None, list[MetricSummary]]]:
    """Criteria as the benchmark orders them, anything else by name."""
    rank = {name: place for place, name in enumerate(digest.info.criterion_names)}
    rows = list(table.rows.items())
    return sorted(rows, key=lambda row: rank.get(row[0] or "", len(rank))) if table.tag == CRITERION else rows


def _called(digest: Digest, table: TagTable, value: str | None) -> str:
    if value is None:
        return "(none)"
    return digest.info.criterion_names.get(value, value) if table.tag == CRITERION else value

"""The scores of an experiment's report: the headline, the other metrics, and the sub-metrics by tag."""

from collections.abc import Iterator, Sequence

from heams.reporting.digest import Digest
from heams.reporting.figures import count, interval, score
from heams.reporting.markdown import Markdown, Table, escape, heading
from heams.reporting.metrics import MetricSummary, names
from heams.reporting.tables import ExperimentTables
from heams.reporting.tag_tables import CRITERION, TagTable, tag_tables
from heams.reporting.wording import cell, few_clusters

MOST_COLUMNS = 6
"""Metrics side by side in a sub-metric table; the headline ones come first."""

_LEGEND = (
    "*n* counts questions with a value; repeats of a question are averaged first. *Unscored* and *skipped* verdicts "
    "are left out of the mean, *errors* and *unsupported* ones count as 0 in it. Metrics with different rules are "
    "never merged."
)


def scores(digest: Digest) -> Iterator[str]:
    """The headline and, apart from it, the other metrics."""
    if not digest.metrics:
        yield f"{heading(2, 'Headline')}\n\nNo verdicts were saved."
        return
    chosen = digest.headline
    remarks = "\n\n".join([_LEGEND, *few_clusters(chosen)])
    yield f"{heading(2, 'Headline')}\n\n{_metric_table(digest, chosen)}\n\n{remarks}"
    others = [metric for metric in digest.metrics if metric not in chosen]
    if others:
        yield f"{heading(2, 'Other metrics')}\n\n{_metric_table(digest, others)}"


def sub_metrics(digest: Digest, tables: ExperimentTables) -> Iterator[str]:
    """A table for each tag that groups records."""
    found = tag_tables(tables)
    if found:
        yield heading(2, "Sub-metrics")
    for table in found:
        yield _tag_section(digest, table)


def _metric_table(digest: Digest, metrics: Sequence[MetricSummary]) -> Table:
    table = Table(
        "metric", ">value", "95 % interval", "method", ">n", ">unscored", ">skipped", ">errors (0)", ">unsupported (0)"
    )
    name = names(digest.metrics)
    for metric in metrics:
        summary = metric.summary
        table.add(
            name[metric.evaluator, metric.metric],
            score(summary.mean),
            Markdown(interval(summary.interval)),
            summary.interval.method if summary.interval else f"none: {summary.reason}",
            *(
                count(number)
                for number in (summary.n, metric.unscored, metric.skipped, metric.errors, metric.unsupported)
            ),
        )
    return table


def _tag_section(digest: Digest, tag_table: TagTable) -> str:
    columns = list(digest.metrics[:MOST_COLUMNS])
    name = names(digest.metrics)
    table = Table(tag_table.tag, *(name[metric.evaluator, metric.metric] for metric in columns))
    for value, metrics in _in_order(digest, tag_table):
        by_key = {(metric.evaluator, metric.metric): metric for metric in metrics}
        cells = (cell(by_key.get((column.evaluator, column.metric))) for column in columns)
        table.add(_row_name(digest, tag_table, value), *cells)
    return "\n\n".join([heading(3, f"By {tag_table.tag}"), str(table), *_remarks(digest, tag_table)])


def _in_order(digest: Digest, tag_table: TagTable) -> list[tuple[str | None, list[MetricSummary]]]:
    """Criteria in the order in which the benchmark names them, anything else by name."""
    rank = {name: place for place, name in enumerate(digest.info.criterion_names)}
    rows = list(tag_table.rows.items())
    if tag_table.tag != CRITERION:
        return rows
    return sorted(rows, key=lambda row: rank.get(row[0] or "", len(rank)))


def _row_name(digest: Digest, tag_table: TagTable, value: str | None) -> str:
    if value is None:
        return "(none)"
    return digest.info.criterion_names.get(value, value) if tag_table.tag == CRITERION else value


def _remarks(digest: Digest, tag_table: TagTable) -> Iterator[str]:
    if tag_table.twins:
        yield f"The same groups: {', '.join(escape(twin) for twin in tag_table.twins)}."
    if len(digest.metrics) > MOST_COLUMNS:
        yield f"Shown are {MOST_COLUMNS} of {len(digest.metrics)} metrics."

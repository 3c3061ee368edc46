"""The scores of an experiment's report: the headline, the other metrics, and the sub-metrics by tag."""

from collections.abc import Iterator, Sequence

from heams.criteria import CRITERION
from heams.reporting.charts.figure import Figure
from heams.reporting.charts.of_experiment import tag_figure
from heams.reporting.digest import Digest
from heams.reporting.figures import count, interval, score
from heams.reporting.judge_notes import judge_notes
from heams.reporting.markdown import Markdown, Table, heading, joined
from heams.reporting.metrics import MetricSummary, names
from heams.reporting.part_names import shared
from heams.reporting.tables import Tables
from heams.reporting.tag_tables import TagTable, tag_tables
from heams.reporting.wording import cell, few_clusters, spelled_out

MOST_COLUMNS = 6
"""Metrics side by side in a sub-metric table; the headline ones come first."""

_LEGEND = (
    "All counts are of questions, whose repeats are averaged first; *n* are those with a value. *Unscored* and "
    "*skipped* questions have none in any repeat and are left out of the mean; *errors* and *unsupported* count as 0 "
    "in it, in at least one repeat. Metrics with different rules are never merged."
)

_CELLS = (
    "Cells: mean, 95 % interval, n, and how many have no value. A dash: there is no verdict under that metric. Where "
    "there is no interval, n is 1, or all values are the same and neither 0 nor 1, or they come from one history."
)


def scores(digest: Digest) -> Iterator[str]:
    """The headline and, apart from it, the other metrics."""
    if not digest.metrics:
        yield f"{heading(2, 'Headline')}\n\nNo verdicts were saved."
        return
    chosen = digest.headline
    cautions = few_clusters(chosen, shared(digest.results.config))
    spelled = " ".join(spelled_out((metric.metric for metric in digest.metrics), digest.info.metric_notes))
    remarks = "\n\n".join(filter(None, [_LEGEND, spelled, *cautions, *judge_notes([digest])]))
    yield f"{heading(2, 'Headline')}\n\n{_metric_table(digest, chosen)}\n\n{remarks}"
    others = [metric for metric in digest.metrics if metric not in chosen]
    if others:
        yield f"{heading(2, 'Other metrics')}\n\n{_metric_table(digest, others)}"


def sub_metrics(digest: Digest, tables: Tables) -> Iterator[str]:
    """A table for each tag that groups records, the first one with a figure."""
    found = tag_tables(tables)
    if found:
        yield heading(2, "Sub-metrics")
        yield _CELLS
    for number, table in enumerate(found):
        yield _tag_section(digest, table)
        if number == 0:
            yield from _figure(digest, table)


def _figure(digest: Digest, tag_table: TagTable) -> Iterator[Figure]:
    rows = [(_row_name(digest, tag_table, value), metrics) for value, metrics in _in_order(digest, tag_table)]
    figure = tag_figure(digest, tag_table.tag, rows)
    if figure is not None:
        yield figure


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
        twins = joined(f"“{twin}”" for twin in tag_table.twins)
        one = len(tag_table.twins) == 1
        yield (
            f"The {'tag' if one else 'tags'} {twins} {'divides' if one else 'divide'} the questions into the same "
            f"groups, so {'it has' if one else 'they have'} no table of {'its' if one else 'their'} own."
        )
    if len(digest.metrics) > MOST_COLUMNS:
        yield f"Shown are {MOST_COLUMNS} of {len(digest.metrics)} metrics."

"""All benchmarks of a results folder at a glance, those of performance apart from those of privacy."""

from collections.abc import Iterator, Sequence

from heams.benchmarks.info import ReportDimension
from heams.reporting.comparison import Comparison, MetricKey, metric_of
from heams.reporting.digest import Digest
from heams.reporting.markdown import Markdown, Table, bold, heading
from heams.reporting.wording import cell

_SHOWN = {ReportDimension.PERFORMANCE: 1, ReportDimension.PRIVACY: 2}
_NOTES = {
    ReportDimension.PERFORMANCE: "the first headline metric of each benchmark.",
    ReportDimension.PRIVACY: (
        "the first two headline metrics of each benchmark, what is protected before what is of use. They only count "
        "together: a memory that stores nothing, and one that tells everything, lead in one of them."
    ),
}
_LEGEND = (
    "Cells are those of the tables below, where metrics are explained. A dash: not played together, or nothing to "
    "score; in the column *reference*: a competitor."
)
_Column = tuple[Comparison, MetricKey, str]


def overview(found: Sequence[Comparison]) -> Iterator[str]:
    """Where there are several benchmarks: the metrics that stand for each, side by side."""
    if len(found) < 2:
        return
    yield heading(2, "Overview")
    for dimension in ReportDimension:
        columns = list(_columns(found, dimension))
        if columns:
            yield f"{bold(dimension.value.capitalize())}: {_NOTES[dimension]}"
            yield str(_table(columns))
    yield _LEGEND


def _columns(found: Sequence[Comparison], dimension: ReportDimension) -> Iterator[_Column]:
    for comparison in found:
        if comparison.dimension is dimension:
            for key, name in _standing_for(comparison, _SHOWN[dimension]):
                yield comparison, key, f"{comparison.title}: {name}"


def _standing_for(comparison: Comparison, most: int) -> list[tuple[MetricKey, str]]:
    """The first headline metrics that the benchmark declares; where none of these was measured, the first there are.

    Where one of two was not, no third takes its place: it would be read as the other axis.
    """
    found = list(comparison.headline().items())
    declared = comparison.digests[0].info.headline_metrics[:most]
    return [(key, name) for key, name in found if key[1] in declared] or found[:most]


def _table(columns: Sequence[_Column]) -> Table:
    rows: dict[tuple[str, int, str, str], list[str]] = {}
    for place, (comparison, key, _) in enumerate(columns):
        for digest in comparison.digests:
            cells = rows.setdefault(_row_key(digest), [""] * len(columns))
            cells[place] = Markdown("<br>".join(filter(None, [cells[place], cell(metric_of(digest, key))])))
    table = Table("agent", "memory system", "reference", *(title for _, _, title in columns))
    for (agent, _, memory, label), cells in sorted(rows.items()):
        table.add(agent, memory, Markdown(f"*{label}*" if label else ""), *cells)
    return table


def _row_key(digest: Digest) -> tuple[str, int, str, str]:
    labels, bound = digest.results.labels, digest.bound
    position, label = (bound.position, bound.label) if bound is not None else (0, "")
    return labels.agent, position, labels.memory_system, label

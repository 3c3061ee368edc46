"""Comparisons as rows of plain cells, for tables of any kind."""

from collections.abc import Iterator, Sequence

from heams.reporting.compare.comparison import PairedComparison
from heams.reporting.compare.groups import PairedGroup, adjusted_by_holm
from heams.reporting.compare.matrix import ExperimentComparison, MatrixLine
from heams.reporting.compare.numbers import PairedNumbers
from heams.reporting.compare.pairs import Changed
from heams.reporting.compare.unlike import visible
from heams.reporting.compare.verdict import Outcome, outcome_of, p_value
from heams.reporting.figures import NONE, count, interval, score

OUTCOMES: dict[Outcome, str] = {
    "better": "B better", "worse": "B worse", "not shown": "not shown", "too few": "too few", "alike": "alike",
    "no pairs": NONE,
}  # fmt: skip
NUMBERS = (">n", ">A", ">B", ">B - A", ">95 % interval", ">p", "verdict")
"""The columns that follow the name of a row; those that begin with > are aligned to the right."""
ADJUSTED = (
    "n counts pairs. p is adjusted for the number of rows (Holm), and the verdict follows it. Too few: whatever "
    "the outcome, so few could not have shown a difference."
)
METRICS = "n counts pairs. p of all metrics but the first is adjusted for their number (Holm)."
LISTED = (">A", ">B", "A was", "B was")
"""The columns of a list of samples, after their names."""


def metric_rows(compared: ExperimentComparison) -> Iterator[tuple[str, ...]]:
    """A row for each metric of the headline: the first with its own p, the others adjusted for being several."""
    main, others = compared.main, compared.others
    adjusted = adjusted_by_holm([other.p for other in others])
    yield main.metric.metric, *_numbers(main, main.p)
    for other, p in zip(others, adjusted, strict=True):
        yield other.metric.metric, *_numbers(other, p)


def group_rows(comparison: PairedComparison) -> Iterator[tuple[str, ...]]:
    """A row for each value of the tag."""
    for group in comparison.groups:
        yield _value(group), *_numbers(group, group.adjusted_p)


def matrix_rows(lines: Sequence[MatrixLine]) -> Iterator[tuple[str, ...]]:
    """A row for each pair of experiments."""
    for line in lines:
        main = line.compared.main
        yield f"{line.compared.a.directory.name}: {main.metric.metric}", *_numbers(main, line.adjusted_p)


def changed_rows(compared: ExperimentComparison, cell: Changed, number: int) -> Iterator[tuple[str, ...]]:
    """A row for each of the samples that changed most."""
    for pair in compared.main.pairs.most_changed(number, cell):
        step = f" step {pair.step_index}" if pair.step_index else ""
        name = compared.names.get(pair.position_a)
        shown = visible(f"{pair.sample_id}{step}{f': {name}' if name else ''}")
        yield shown, score(pair.value_a), score(pair.value_b), pair.verdict_a, pair.verdict_b


def _value(group: PairedGroup) -> str:
    return visible(group.value) if group.value is not None else "(without it)"


def _signed(delta: float | None) -> str:
    shown = score(delta)
    return f"+{shown}" if delta is not None and delta > 0 and shown != score(0.0) else shown


def _numbers(numbers: PairedNumbers, p: float | None) -> tuple[str, ...]:
    return (
        count(numbers.n),
        score(numbers.mean_a),
        score(numbers.mean_b),
        _signed(numbers.delta),
        interval(numbers.interval),
        NONE if p is None else p_value(p),
        OUTCOMES[outcome_of(numbers, p)],
    )

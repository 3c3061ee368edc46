"""Many comparisons at once: every experiment of one output folder beside its partner of another, or one alone."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace

from heams.benchmarks.registry import report_info
from heams.reporting.compare.comparison import PairedComparison, compare
from heams.reporting.compare.groups import adjusted_by_holm
from heams.reporting.compare.metric_choice import MetricKey, NoSuchMetric, headline_metrics, metric_named
from heams.reporting.compare.pairs import CHANGED
from heams.reporting.compare.partners import Partners
from heams.reporting.compare.side import Side
from heams.reporting.compare.unlike import UnlikeExperiments
from heams.reporting.compare.verdict import Outcome, outcome_of
from heams.reporting.load import ExperimentResults
from heams.reporting.tables import ExperimentTables


@dataclass(frozen=True, slots=True)
class Wish:
    """What to compare by: a metric by name (the headline where it is None), the metrics of gates, a tag.

    ``allow`` names what may differ. ``different`` is how many samples are listed that improved, and that regressed.
    """

    metric: str | None = None
    gate_metrics: frozenset[str] = frozenset()
    by: str | None = None
    allow: tuple[str, ...] = ()
    different: int = 0


@dataclass(frozen=True, slots=True)
class ExperimentComparison:
    """Two experiments under several metrics: ``main`` first, then those of the headline, and those of gates by name.

    ``names`` are those of samples that are listed because they changed most, by position in A.
    """

    a: ExperimentResults
    b: ExperimentResults
    main: PairedComparison
    others: tuple[PairedComparison, ...]
    under: Mapping[str | None, PairedComparison]
    names: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class MatrixLine:
    """One comparison of several; ``adjusted_p`` knows how many there are."""

    compared: ExperimentComparison
    adjusted_p: float | None

    @property
    def outcome(self) -> Outcome:
        """What the test came to, by the adjusted p."""
        return outcome_of(self.compared.main, self.adjusted_p)


def compare_all(partners: Partners, wish: Wish) -> list[MatrixLine]:
    """Compare all partners; of several, those that lack the metric wished for are left out.

    Raises:
        UnlikeExperiments: some are not like with like; the differences of all are named.
        ResultsError: a metric or a tag is missing, or a file of results is damaged.
    """
    found: list[ExperimentComparison] = []
    without: list[NoSuchMetric] = []
    unlike: dict[str, UnlikeExperiments] = {}
    for a, b in partners.found:
        try:
            found.append(compare_experiments(a, b, wish))
        except UnlikeExperiments as refused:
            unlike[a.directory.name] = refused
        except NoSuchMetric as missing:
            without.append(missing)
    if unlike:
        raise _together(unlike, len(partners.found))
    if not found:
        raise without[0]
    adjusted = adjusted_by_holm([compared.main.p for compared in found])
    return [MatrixLine(compared, p) for compared, p in zip(found, adjusted, strict=True)]


def compare_experiments(a: ExperimentResults, b: ExperimentResults, wish: Wish) -> ExperimentComparison:
    """Compare two experiments, under the metric that is wished for or those of the headline.

    Raises:
        UnlikeExperiments: they are not like with like.
        ResultsError: a metric or a tag is missing, or a file of results is damaged.
    """
    with ExitStack() as stack:
        sides = [Side(one, stack.enter_context(_tables(one))) for one in (a, b)]
        return _compared(sides[0], sides[1], wish)


def _tables(results: ExperimentResults) -> ExperimentTables:
    return ExperimentTables(results, report_info(results.benchmark_type).criterion_of)


def _compared(a: Side, b: Side, wish: Wish) -> ExperimentComparison:
    keys = headline_metrics(a, b) if wish.metric is None else [metric_named(a, b, wish.metric)]
    named = dict(_named(a, b, wish.gate_metrics))
    main = compare(a, b, keys[0], by=wish.by, allow=wish.allow)
    others = dict.fromkeys([*keys[1:], *named.values()])
    made = {key: compare(a, b, key, allow=wish.allow) for key in others if key != keys[0]} | {keys[0]: main}
    under: dict[str | None, PairedComparison] = {None: main, **{name: made[key] for name, key in named.items()}}
    return ExperimentComparison(
        a.results, b.results, main, tuple(made[key] for key in keys[1:]), under, _names(a, main, wish.different)
    )


def _named(a: Side, b: Side, names: Collection[str]) -> Iterator[tuple[str, MetricKey]]:
    """The metrics that gates name, as far as these experiments have them."""
    for name in sorted(names):
        try:
            yield name, metric_named(a, b, name)
        except NoSuchMetric:
            continue


def _names(a: Side, main: PairedComparison, number: int) -> dict[int, str]:
    wanted = [pair.position_a for cell in CHANGED for pair in main.pairs.most_changed(number, cell)]
    if not wanted:
        return {}
    rows = a.tables.rows(
        "SELECT position, sample_name FROM scenarios WHERE list_contains($wanted, position)", {"wanted": wanted}
    )
    return {position: name for position, name in rows if name}


def _together(unlike: Mapping[str, UnlikeExperiments], of: int) -> UnlikeExperiments:
    if of == 1:
        return next(iter(unlike.values()))
    named = [
        replace(difference, what=f"{name}: {difference.what}")
        for name, refused in unlike.items()
        for difference in refused.differences
    ]
    return UnlikeExperiments(named)

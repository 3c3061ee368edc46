"""One benchmark as a column: its headline, which experiments played it, and which of them are unlike the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heams.benchmarks.info import ReportDimension
from heams.browse.views.matrix.entry import Entry
from heams.reporting.compare import MetricKey
from heams.reporting.comparison import Comparison, comparisons, metric_of
from heams.reporting.digest import Digest
from heams.reporting.likeness import differences
from heams.reporting.metrics import MetricSummary
from heta_framework.common.statistics.harmonic import harmonic_mean

_AXES = 2
"""Of privacy: what is protected, and what is of use."""
_NOT_SETTINGS = ("n of ", "heams", "finished")
"""Facts that follow from results, or say nothing about what was asked."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A metric of the headline, and how tables call it."""

    key: MetricKey
    name: str


@dataclass(frozen=True, slots=True)
class Played:
    """An experiment under the axes of its column. ``unlike`` says in what it differs from most others of the column."""

    entry: Entry
    values: tuple[MetricSummary | None, ...]
    unlike: tuple[str, ...]

    @property
    def digest(self) -> Digest:
        """What is known of it."""
        return self.entry.digest

    @property
    def headline(self) -> float | None:
        """The mean of the axis, of two the harmonic mean; None where one has no value."""
        means = [None if value is None else value.summary.mean for value in self.values]
        if len(means) < _AXES:
            return means[0] if means else None
        first, second = means
        return None if first is None or second is None else harmonic_mean(first, second)


@dataclass(frozen=True, slots=True)
class Column:
    """``title`` is unique on the page. ``lowest`` and ``highest`` are the ends of the line of its scores."""

    title: str
    section: str | None
    dimension: ReportDimension
    without_agents: bool
    part_names: tuple[str, str]
    axes: tuple[Axis, ...]
    played: tuple[Played, ...]
    lowest: float
    highest: float


def columns(entries: Sequence[Entry]) -> list[Column]:
    """A column for each benchmark with verdicts, in the order of reports; recipes without agents have their own."""
    by_digest = {id(entry.digest): entry for entry in entries}
    agents = [entry.digest for entry in entries if not _without_agent(entry.digest)]
    recipes = [entry.digest for entry in entries if _without_agent(entry.digest)]
    found = [*comparisons(agents), *comparisons(recipes)]
    titles = [comparison.title for comparison in found]
    made = (_column(comparison, by_digest, unique=titles.count(comparison.title) == 1) for comparison in found)
    return [column for column in made if column.axes]


def _without_agent(digest: Digest) -> bool:
    return Comparison(digest.info.dimension, None, "", (digest,)).without_agents


def _column(comparison: Comparison, by_digest: Mapping[int, Entry], *, unique: bool) -> Column:
    axes = tuple(_axes(comparison))
    unlike = _unlike(comparison.digests)
    played = tuple(
        Played(
            by_digest[id(digest)],
            tuple(metric_of(digest, axis.key) for axis in axes),
            unlike.get(digest.results.name, ()),
        )
        for digest in comparison.digests
    )
    lowest, highest = _ends(played)
    names = comparison.part_names
    title = comparison.title if unique else f"{comparison.title}, {names.memory_system}"
    parts = names.agent, names.memory_system
    dimension, section = comparison.dimension, comparison.section
    return Column(title, section, dimension, comparison.without_agents, parts, axes, played, lowest, highest)


def _axes(comparison: Comparison) -> list[Axis]:
    """The first metric of the headline; of privacy the first two that are declared, which only count together."""
    headline = [Axis(MetricKey(*key), name) for key, name in comparison.headline().items()]
    if comparison.dimension is ReportDimension.PRIVACY:
        declared = comparison.digests[0].info.headline_metrics[:_AXES]
        by_metric = {axis.key.metric: axis for axis in reversed(headline)}
        both = [by_metric[metric] for metric in declared if metric in by_metric]
        if len(both) == _AXES:
            return both
    return headline[:1]


def _ends(played: Sequence[Played]) -> tuple[float, float]:
    """From 0 to 1 where all values lie there; else as far as they go, and to 0."""
    ends = [0.0]
    for value in (value for one in played for value in one.values if value is not None):
        ends += [value.summary.mean] if value.summary.mean is not None else []
        if value.summary.interval is not None:
            ends += [value.summary.interval.low, value.summary.interval.high]
    return min(ends), 1.0 if min(ends) >= 0 and max(ends) <= 1 else max(ends)


def _unlike(digests: Sequence[Digest]) -> dict[str, tuple[str, ...]]:
    """By experiment, the settings in which it is not like most of the others."""
    found: dict[str, list[str]] = {}
    for difference in differences(digests):
        if difference.what.startswith(_NOT_SETTINGS):
            continue
        usual = max(difference.values, key=lambda value: len(difference.values[value]))
        for value, names in difference.values.items():
            for name in names if value != usual else ():
                found.setdefault(name, []).append(f"{difference.what}: {value}, of most others {usual}")
    return {name: tuple(words) for name, words in found.items()}

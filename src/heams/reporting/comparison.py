"""Experiments that belong into one table: the same benchmark, played by different agents with different memories."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heams.benchmarks.info import ReportDimension
from heams.reporting.digest import Digest
from heams.reporting.load import Labels
from heams.reporting.metrics import MetricSummary, names, ordered
from heams.reporting.part_names import PartNames, asks_without_agent, part_names

MetricKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One benchmark under one name. ``digests`` come in the order of the table: per agent, bounds first and last."""

    dimension: ReportDimension
    section: str | None
    title: str
    digests: tuple[Digest, ...]

    @property
    def without_agents(self) -> bool:
        """Whether these are recipes in query modes."""
        return all(asks_without_agent(digest.results.config) for digest in self.digests)

    @property
    def part_names(self) -> PartNames:
        """What the columns of the two parts are called."""
        return part_names(self.digests[0].results.config)

    def headline(self) -> dict[MetricKey, str]:
        """The headline metrics of all experiments, and how they are called."""
        chosen: dict[MetricKey, MetricSummary] = {}
        for digest in self.digests:
            for metric in digest.headline:
                chosen.setdefault((metric.evaluator, metric.metric), metric)
        first = self.digests[0].info.headline_metrics
        return names(ordered(list(chosen.values()), first))

    def row_names(self) -> list[str]:
        """A name for each experiment: its memory system, with what it takes to tell it from the others.

        A recipe is always named with its query mode, which is as much a part of what is compared.
        """
        if self.without_agents:
            modes = [f"{labels.memory_system}: {labels.agent}" for labels in map(_labels, self.digests)]
            return [
                name if modes.count(name) == 1 else f"{name} ({digest.results.directory.name})"
                for name, digest in zip(modes, self.digests, strict=True)
            ]
        short = [digest.results.labels.memory_system for digest in self.digests]
        agents = [digest.results.labels.agent for digest in self.digests]
        full = [f"{memory} with {agent}" for memory, agent in zip(short, agents, strict=True)]
        return [
            memory
            if short.count(memory) == 1
            else long
            if full.count(long) == 1
            else f"{memory} ({digest.results.directory.name})"
            for memory, long, digest in zip(short, full, self.digests, strict=True)
        ]


def _labels(digest: Digest) -> Labels:
    return digest.results.labels


def metric_of(digest: Digest, key: MetricKey) -> MetricSummary | None:
    """The metric of an experiment; None where it has none."""
    return next((metric for metric in digest.metrics if (metric.evaluator, metric.metric) == key), None)


def comparisons(digests: Sequence[Digest]) -> list[Comparison]:
    """The experiments grouped by benchmark, in the order in which benchmarks are reported."""
    groups: dict[tuple[str, str, str], list[Digest]] = {}
    for digest in digests:
        key = (digest.benchmark_name, digest.results.labels.benchmark, digest.results.benchmark_type)
        groups.setdefault(key, []).append(digest)
    shared = Counter(name for name, _, _ in groups)
    found = [
        comparison_of(name if shared[name] == 1 else f"{name} ({label})", members)
        for (name, label, _), members in groups.items()
    ]
    return sorted(found, key=_order)


def comparison_of(title: str, members: Sequence[Digest]) -> Comparison:
    """These experiments as one table."""
    info = members[0].info
    return Comparison(info.dimension, info.section, title, tuple(sorted(members, key=_place)))


def _place(digest: Digest) -> tuple[str, int, str, str]:
    labels = digest.results.labels
    position = digest.bound.position if digest.bound is not None else 0
    return labels.agent, position, labels.memory_system, digest.results.name


def _order(comparison: Comparison) -> tuple[int, str, int, str]:
    dimensions = list(ReportDimension)
    info = comparison.digests[0].info
    return dimensions.index(comparison.dimension), comparison.section or "", info.order, comparison.title

"""Experiments of one benchmark beside each other: those of the same questions and agent form a group."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heams.reporting.comparison import comparison_of
from heams.reporting.digest import Digest, opened
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Markdown, Table, bold, escape, heading
from heams.reporting.metrics import MetricSummary, grouped_summaries
from heams.reporting.saved import entries, part
from heams.reporting.tables import Tables
from heams.reporting.wording import REFERENCES, cell, few_clusters

ByMetric = Mapping[str, MetricSummary]


@dataclass(frozen=True, slots=True)
class Member:
    """One experiment. ``name`` tells its memory system from the others of its group.

    ``overall`` has its metrics by name, ``within`` those by tag and value of the tag.
    """

    digest: Digest
    name: str
    overall: ByMetric
    within: Mapping[str, Mapping[str, ByMetric]]

    def of(self, metric: str, tag: str | None = None, value: str = "") -> MetricSummary | None:
        """A metric, over all records or within those that have the value for the tag."""
        return (self.overall if tag is None else self.within[tag].get(value, {})).get(metric)

    def mean(self, metric: str, tag: str | None = None, value: str = "") -> float | None:
        """The mean of a metric; None where nothing has a value."""
        found = self.of(metric, tag, value)
        return None if found is None else found.summary.mean

    @property
    def cells(self) -> tuple[str, Markdown]:
        """The first two cells of its row: name, and whether it is a reference."""
        bound = self.digest.bound
        return self.name, Markdown(f"*{bound.label}*" if bound is not None else "")


@dataclass(frozen=True, slots=True)
class Group:
    """Experiments of one agent on the same questions: lower bounds first, upper bounds last."""

    title: str
    members: tuple[Member, ...]

    def values_of(self, tag: str) -> list[str]:
        """The values of a tag that any member has, in the order in which the benchmark names them, then by name."""
        names = self.members[0].digest.info.criterion_names
        rank = {value: place for place, value in enumerate(names)}
        found = {value for member in self.members for value in member.within[tag]}
        return sorted(found, key=lambda value: (rank.get(value, len(rank)), value))

    def head(self) -> Iterator[Markdown]:
        """The group's heading, and which of its experiments are incomplete."""
        yield heading(2, self.title)
        for member in self.members:
            notice = member.digest.progress.notice()
            if notice is not None:
                yield Markdown(f"{bold('Incomplete:')} {escape(member.digest.results.name)}: {escape(notice)}.")

    def cautions(self, *metrics: str) -> list[str]:
        """What a reader of these metrics must know: references among the rows, intervals from few histories."""
        shown = [summary for member in self.members for name in metrics if (summary := member.of(name)) is not None]
        references = any(member.digest.bound is not None for member in self.members)
        return [*([REFERENCES] if references else []), *few_clusters(shown)]

    def by_tag(self, tag: str, metric: str) -> Table:
        """A metric of every member, within each value of a tag for which any of them has it."""
        values = [one for one in self.values_of(tag) if any(member.of(metric, tag, one) for member in self.members)]
        names = self.members[0].digest.info.criterion_names
        table = Table("memory system", "reference", *(names.get(value, value) for value in values))
        for member in self.members:
            table.add(*member.cells, *(cell(member.of(metric, tag, value)) for value in values))
        return table


def rollup_groups(results: Sequence[ExperimentResults], tags: Sequence[str] = ()) -> list[Group]:
    """The experiments by questions and agent, each read once; ``tags`` are those within which metrics are wanted.

    Raises:
        ResultsError: a file of results is damaged.
    """
    found: dict[tuple[str, ...], list[Member]] = {}
    for experiment in results:
        with opened(experiment) as (digest, tables):
            found.setdefault(_questions_of(digest), []).append(_member(digest, tables, tags))
    return sorted((_group(members) for members in found.values()), key=lambda group: group.title)


def _member(digest: Digest, tables: Tables, tags: Sequence[str]) -> Member:
    within = {
        tag: {
            value: _by_name(metrics)
            for value, metrics in grouped_summaries(tables, "tags[$tag]", parameters={"tag": tag}).items()
            if value is not None
        }
        for tag in tags
    }
    return Member(digest, digest.results.labels.memory_system, _by_name(digest.metrics), within)


def _by_name(metrics: Sequence[MetricSummary]) -> ByMetric:
    return {summary.metric: summary for summary in metrics}


def _group(members: Sequence[Member]) -> Group:
    digest = members[0].digest
    title = f"{digest.benchmark_name}, agent {digest.results.labels.agent}"
    by_place = {member.digest.results.directory: member for member in members}
    table = comparison_of(title, [member.digest for member in members])
    named = zip(table.row_names(), table.digests, strict=True)
    return Group(title, tuple(replace(by_place[entry.results.directory], name=name) for name, entry in named))


def _questions_of(digest: Digest) -> tuple[str, ...]:
    """What decides which questions were asked, how they were scored, and who answered."""
    saved: Mapping[str, Any] = part(digest.results.config, "benchmark_config")
    files = entries(digest.results.config, "provenance", "data")
    content = (str(file.get("sha256")) for file in files if file.get("component") == "benchmark")
    return (repr(sorted(saved.items(), key=lambda item: item[0])), *content, digest.results.labels.agent)

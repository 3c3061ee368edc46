"""The report over all experiments of a results folder: agents, memory systems and benchmarks against each other."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from heams.reporting.charts.of_comparison import comparison_figures, file_names
from heams.reporting.comparison import Comparison, comparisons, metric_of
from heams.reporting.digest import Digest
from heams.reporting.figures import count, seconds
from heams.reporting.interval_notes import histories, methods, missing
from heams.reporting.judge_notes import judge_notes
from heams.reporting.likeness import Difference, component_differences, differences
from heams.reporting.markdown import Markdown, Table, bold, bullets, clipped, escape, heading, joined, link
from heams.reporting.overlap import CAVEAT, overlaps
from heams.reporting.part_names import budget_name
from heams.reporting.report_models import usage_side_by_side
from heams.reporting.results_overview import overview
from heams.reporting.wording import (
    REFERENCES,
    TOKENS,
    answered_from_store,
    budget_notice,
    budget_of,
    cell,
    cost_of,
    damage_notice,
    full_cost_of,
    spelled_out,
)


def results_report(root: Path, digests: Sequence[Digest]) -> list[str]:
    """The report as blocks of Markdown, figures among them; links are relative to ``root``."""
    found = comparisons(digests)
    return [
        heading(1, f"Results: {root.resolve().name}"),
        *_incomplete(digests),
        *_damaged(digests),
        *_starved(digests),
        *overview(found),
        *_tables(found, root),
        *_like_with_like(found),
    ]


def _incomplete(digests: Sequence[Digest]) -> Iterator[str]:
    notices = [(digest.results.name, digest.progress.notice()) for digest in digests]
    lines = [f"{name}: {notice}" for name, notice in notices if notice is not None]
    if lines:
        yield f"{bold('Incomplete:')} the numbers of these experiments are those of what is there."
        yield bullets(lines)


def _damaged(digests: Sequence[Digest]) -> Iterator[str]:
    lines = [f"{digest.results.name}: {damage_notice(digest)}" for digest in digests if digest.damaged]
    if lines:
        yield f"{bold('Damaged:')} what cannot be read is in no number."
        yield bullets(lines)


def _starved(digests: Sequence[Digest]) -> Iterator[str]:
    notices = [(digest.results.name, budget_notice(digest)) for digest in digests]
    lines = [f"{name}: {notice}" for name, notice in notices if notice is not None]
    if lines:
        yield f"{bold('Next to nothing recalled:')} these experiments say little about their memory."
        yield bullets(lines)


def _emphasised(label: str) -> Markdown:
    return Markdown(f"*{label}*" if label else "")


def _tables(found: Sequence[Comparison], root: Path) -> Iterator[str]:
    dimension, file_name = None, file_names(found)
    for comparison in found:
        if comparison.dimension != dimension:
            dimension = comparison.dimension
            yield heading(2, dimension.value.capitalize())
        yield heading(3, comparison.title)
        yield str(_table(comparison, root))
        yield from comparison_figures(comparison, file_name[comparison.title])
        yield from _notes(comparison)
        used = usage_side_by_side(comparison.digests)
        yield f"What models were asked, and what that cost:\n\n{used}" if used else ""


def _table(comparison: Comparison, root: Path) -> Table:
    metrics = comparison.headline()
    budget = budget_name(comparison.digests[0].results.config)
    stored = any(answered_from_store(digest) for digest in comparison.digests)
    table = Table(
        *comparison.part_names, *([] if comparison.without_agents else ["reference"]), *metrics.values(),
        "scenarios", ">errors", ">recalled tokens, p50",
        ">answer, p50", ">cost, USD", *([">cost without cache, USD"] if stored else []), budget, "report",
    )  # fmt: skip
    for digest in comparison.digests:
        labels = digest.results.labels
        table.add(
            labels.agent,
            labels.memory_system,
            *([] if comparison.without_agents else [_emphasised(digest.bound.label if digest.bound else "")]),
            *(cell(metric_of(digest, key)) for key in metrics),
            digest.progress.extent,
            count(digest.progress.errors),
            count(digest.recalling.tokens.p50),
            seconds(digest.latencies["answer"].p50),
            cost_of(digest),
            *([full_cost_of(digest)] if stored else []),
            budget_of(digest),
            _report_link(digest, root),
        )
    return table


def _report_link(digest: Digest, root: Path) -> Markdown:
    directory = digest.results.directory
    target = (directory / "report.md").relative_to(root).as_posix()
    return link(digest.results.name, target)


def _notes(comparison: Comparison) -> Iterator[str]:
    yield (
        "Cells: mean and its 95 % interval, n, and what was left out of the mean or counted as 0 in it, all in "
        "questions; reports of experiments name the reasons. A dash: nothing to score, as with the ranking of a memory "
        "that hands over everything unranked; as a reference: a competitor. Scenarios and errors count every repeat. "
        f"Cost is that of the whole run: ingestion, judging and repeated attempts included. {TOKENS}"
    )
    yield " ".join(
        spelled_out((metric for _, metric in comparison.headline()), comparison.digests[0].info.metric_notes)
    )
    yield " ".join(escape(note) for note in (methods(comparison), *missing(comparison)) if note)
    yield from (escape(caution) for caution in histories(comparison))
    yield from judge_notes(comparison.digests)
    if any(digest.bound is not None for digest in comparison.digests):
        yield REFERENCES
    sentences = list(overlaps(comparison))
    if sentences:
        yield f"Differences between competitors:\n\n{bullets([*sentences, Markdown(CAVEAT)])}"


def _like_with_like(found: Sequence[Comparison]) -> Iterator[str]:
    unlike = _difference_table((comparison, differences(comparison.digests)) for comparison in found)
    apart = _difference_table((comparison, component_differences(comparison.digests)) for comparison in found)
    if unlike or apart:
        yield heading(2, "Like with like")
    if unlike:
        yield "Experiments of one table are unlike in these points, which matters before their numbers are compared."
        yield str(unlike)
    if apart:
        yield "Components of one type differ in these settings, and in no others."
        yield str(apart)


def _difference_table(found: Iterable[tuple[Comparison, Sequence[Difference]]]) -> Table:
    table = Table("benchmark", "what", "experiments")
    for comparison, members in found:
        for difference in members:
            table.add(comparison.title, difference.what, _values(difference))
    return table


def _values(difference: Difference) -> Markdown:
    lines = (f"{clipped(value, 80)}: {joined(owners)}" for value, owners in difference.values.items())
    return Markdown("<br>".join(lines))

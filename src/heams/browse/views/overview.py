"""Everything that the page of one experiment shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heams.browse.filters import with_term
from heams.browse.index import Experiment
from heams.browse.views.breakdown import breakdown_of
from heams.browse.views.metric_lines import MetricLine, TagLines, metric_lines, tag_lines
from heams.browse.views.setup import Component, Fact, components, data_files, setup_facts
from heams.reporting.digest import Digest
from heams.reporting.failures import ErrorKind, Unjudged
from heams.reporting.figures import plural
from heams.reporting.judge_notes import plain_judge_notes
from heams.reporting.metrics import LLM_JUDGE
from heams.reporting.part_names import PartNames, asks_without_agent, part_names, shared
from heams.reporting.spending import Spent, total
from heams.reporting.wording import REFERENCES, budget_notice, cost_of, damage_notice, few_clusters, uncached_cost
from heta_framework.common.models.usage import Usage

WARN, BAD, INFO = "warn", "bad", "info"
_WHOLE_REASON = 300
"""Longer reasons may have been cut, and would then not be found."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a reader has to know before the first number."""

    kind: str
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Overview:
    """``version`` is that of the results when they were read.

    ``lines`` begin with the ``headline`` ones. ``usage`` ends with the total where there are several rows.
    """

    version: str
    digest: Digest
    part_names: PartNames
    without_agent: bool
    notices: tuple[Notice, ...]
    headline: tuple[MetricLine, ...]
    lines: tuple[MetricLine, ...]
    by_tag: tuple[TagLines, ...]
    cautions: tuple[str, ...]
    judge_notes: tuple[str, ...]
    judged: bool
    usage: tuple[Spent, ...]
    whole_usage: Usage
    cost: str
    cost_without_cache: str | None
    errors: tuple[ErrorKind, ...]
    unjudged: tuple[tuple[Unjudged, str], ...]
    components: tuple[Component, ...]
    setup: tuple[Fact, ...]
    data: tuple[Fact, ...]


def overview_of(experiment: Experiment) -> Overview:
    """Read an experiment for its page.

    Raises:
        ResultsError: its results cannot be read.
    """
    version, digest = experiment.version, experiment.digest()
    lines = tuple(metric_lines(digest))
    breakdown = breakdown_of(experiment)
    config = digest.results.config
    return Overview(
        version=version,
        digest=digest,
        part_names=part_names(config),
        without_agent=asks_without_agent(config),
        notices=tuple(_notices(digest)),
        headline=lines[: len(digest.headline)],
        lines=lines,
        by_tag=tuple(tag_lines(digest, breakdown.by_tag, lines)),
        cautions=tuple(few_clusters(digest.headline, shared(config))),
        judge_notes=tuple(plain_judge_notes([digest])),
        judged=any(line.of.evaluator == LLM_JUDGE for line in lines),
        usage=(*digest.spent, *([total(digest.spent)] if len(digest.spent) > 1 else [])),
        whole_usage=total(digest.spent).usage,
        cost=cost_of(digest),
        cost_without_cache=uncached_cost(digest),
        errors=breakdown.errors,
        unjudged=tuple((one, _found_by(one)) for one in breakdown.unjudged),
        components=tuple(components(digest)),
        setup=tuple(setup_facts(digest)),
        data=tuple(data_files(config)),
    )


def _notices(digest: Digest) -> Iterator[Notice]:
    progress = digest.progress
    words = progress.notice()
    if words:
        title = "Incomplete." if progress.state else "Perhaps incomplete."
        rest = " The same command again plays the rest." if progress.state == "interrupted" else ""
        yield Notice(WARN, title, f"{_sentence(words)} The numbers below are those of what is there.{rest}")
    if progress.saved and progress.saved == progress.errors:
        yield Notice(BAD, "Every scenario ended in an error.", "The means below are those of errors counted as 0.")
    if digest.damaged:
        yield Notice(BAD, "Damaged.", _sentence(damage_notice(digest)))
    if progress.mute:
        ended = f"{plural(progress.mute, 'scenario')} ended in an error without owing any verdict."
        yield Notice(WARN, "Missing from every mean.", ended)
    starved = budget_notice(digest)
    if starved:
        yield Notice(WARN, "Next to nothing recalled.", _sentence(starved))
    if digest.bound is not None:
        name = digest.results.labels.memory_system
        words = f"{name} is a {digest.bound.label}: {digest.bound.why}. {REFERENCES}"
        yield Notice(INFO, "A reference, not a competitor.", words)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _found_by(one: Unjudged) -> str:
    """The filter that finds the verdicts of a group."""
    found = with_term("", "outcome", one.outcome)
    return with_term(found, "reason", one.reason) if one.reason and len(one.reason) < _WHOLE_REASON else found


def first_metric(lines: Sequence[MetricLine]) -> str | None:
    """The metric under which samples are shown first."""
    return lines[0].metric if lines else None

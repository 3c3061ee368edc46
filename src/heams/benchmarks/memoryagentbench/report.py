"""MemoryAgentBench's roll-up: competencies by memory system, and under each its sources by their own metric.

Reads saved artifacts only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from heams.benchmarks.memoryagentbench.competencies import TITLES
from heams.evaluation.memoryagentbench_official import EVENT_RECALL
from heams.evaluation.memoryagentbench_sources import (
    ANSWER_PROXY,
    EXACT,
    KEYPOINTS_PROXY,
    NEEDLES,
    NEWEST,
    RULES,
    SUBSTRING,
    family_of,
)
from heams.reporting.digest import opened
from heams.reporting.figures import score
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, heading
from heams.reporting.rollup_groups import Group, rollup_groups
from heams.reporting.wording import cell

_SOURCE = "source"
_SOURCES = """
    SELECT DISTINCT tags['competency'], tags['source'] FROM records
    WHERE tags['competency'] IS NOT NULL AND tags['source'] IS NOT NULL ORDER BY ALL
"""
_COMPETENCIES_NOTE = (
    "A competency is the mean over its sources, and *overall* the mean over competencies, each with the same weight, "
    "as published. Sources have metrics of their own, which the tables below name; a dash: nothing was asked."
)
_SOURCES_NOTE: Final[Mapping[str, str]] = {
    SUBSTRING: "`substring_exact_match`: the answer stands in the reply as whole words, and is not only denied.",
    EXACT: "`exact_match`: the reply, or what it marks as its answer, is the answer and nothing else.",
    "recsys_recall@5": "`recsys_recall@5`: the share of the liked films among the first five that are recommended.",
    NEEDLES: "`ruler_recall`: the share of the answers that stand in the reply.",
    ANSWER_PROXY: "`answer_proxy`: by the words of the answer, 1, 0.5 or 0. Published scores need a judge.",
    KEYPOINTS_PROXY: "`keypoints_proxy`: by the words of each key point, 1, 0.5 or 0. Published scores need a judge.",
}
_NEWEST_NOTE = (
    "The share of questions whose reply gives the newest fact and none that it has overruled. Beside it stands the "
    "published rule, which a reply that recites old and new alike satisfies."
)
_LEGACY_NOTE = (
    'What the published code gives the same replies, mistakes included ("3.0" is "30", "no" is in "nobody"). Replies '
    "on which that code fails are left out there."
)
_JUDGE_NOTE = "A language model's verdicts; they are no part of the tables above."


def render_memoryagentbench_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``memoryagentbench`` experiments of a results folder."""
    return [section for group in rollup_groups(results, [_SOURCE]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    sources = _sources(group)
    yield from group.head()
    yield heading(3, "Competencies")
    headlines = dict.fromkeys(_headline(source) for names in sources.values() for source in names)
    yield "\n\n".join([str(_competencies(group, sources)), _COMPETENCIES_NOTE, *group.cautions(*headlines)])
    for competency, names in sources.items():
        yield heading(3, TITLES.get(competency, competency))
        notes = dict.fromkeys(_SOURCES_NOTE[_headline(source)] for source in names)
        yield "\n\n".join([str(_by_source(group, {source: _headline(source) for source in names})), *notes])
    yield from _further(group, [source for names in sources.values() for source in names])


def _further(group: Group, sources: Sequence[str]) -> Iterator[str]:
    newest = {source: NEWEST for source in sources if _is_used(group, NEWEST, source)}
    if newest:
        yield heading(3, "Newest fact alone")
        yield f"{_by_source(group, newest)}\n\n{_NEWEST_NOTE}"
    legacy = {source: metric for source in sources if _is_used(group, metric := _legacy(source), source)}
    if legacy:
        yield heading(3, "By the published code")
        yield f"{_by_source(group, legacy)}\n\n{_LEGACY_NOTE}"
    for metric in sorted({name for one in group.members for name in one.overall if name.startswith("judge_")}):
        judged = {source: metric for source in sources if _is_used(group, metric, source)}
        yield heading(3, f"Judged ({metric})")
        yield f"{_by_source(group, judged)}\n\n{_JUDGE_NOTE}"


def _sources(group: Group) -> Mapping[str, Sequence[str]]:
    """The sources of each competency, in the order of the paper."""
    found: dict[str, list[str]] = {}
    for member in group.members:
        with opened(member.digest.results) as (_, tables):
            for competency, source in tables.rows(_SOURCES, {}):
                known = found.setdefault(competency, [])
                known.extend([source] if source not in known else [])
    order = list(TITLES)
    return dict(sorted(found.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))


def _competencies(group: Group, sources: Mapping[str, Sequence[str]]) -> Table:
    table = Table("memory system", "reference", "overall", *(TITLES.get(name, name) for name in sources))
    for member in group.members:
        means = [_mean([member.mean(_headline(one), _SOURCE, one) for one in names]) for names in sources.values()]
        table.add(*member.cells, score(_mean(means)), *map(score, means))
    return table


def _by_source(group: Group, metrics: Mapping[str, str]) -> Table:
    """A column for each source, under the metric that it has there."""
    table = Table("memory system", "reference", *(f"{source} ({metric})" for source, metric in metrics.items()))
    for member in group.members:
        table.add(*member.cells, *(cell(member.of(metric, _SOURCE, source)) for source, metric in metrics.items()))
    return table


def _headline(source: str) -> str:
    return RULES[family_of(source)].headline


def _legacy(source: str) -> str:
    """The official metric of a source; where a judge is official, the substring match that the code gives beside it."""
    family = family_of(source)
    proxies = {ANSWER_PROXY: SUBSTRING, KEYPOINTS_PROXY: "rougeLsum_f1"}
    headline = RULES[family].headline
    return f"{EVENT_RECALL if family == 'eventqa' else proxies.get(headline, headline)}_legacy"


def _is_used(group: Group, metric: str, source: str) -> bool:
    return any(member.of(metric, _SOURCE, source) for member in group.members)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None

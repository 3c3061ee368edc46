"""BEAM's roll-up: the ten abilities by memory system, and their mean, once under each kind of scoring.

Reads saved artifacts only. Kinds of scoring are never mixed: each has a table of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from heams.benchmarks.beam.abilities import ABILITIES, ABSTENTION, EVENT_ORDERING, AbilityName
from heams.benchmarks.beam.report_published import published_section
from heams.evaluation import nugget
from heams.reporting.figures import score
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, bold, heading
from heams.reporting.rollup_groups import Group, Member, rollup_groups
from heams.reporting.wording import cell

_TAG = "ability"
_RECALL = re.compile(r"recall@[0-9]+")
_JUDGE = "judge_nugget"
_OVERALL_NOTE = (
    "*Overall* is the mean over the abilities that were asked, each with the same weight, as published for BEAM. "
    "A dash stands where nothing was asked."
)


class Scoring(NamedTuple):
    """One kind of scoring: the metric of event ordering, of abstention, and of the other eight abilities."""

    title: str
    order: str
    abstention: str
    items: str
    note: str

    def metric_of(self, ability: AbilityName) -> str:
        """The metric that scores an ability."""
        return {EVENT_ORDERING: self.order, ABSTENTION: self.abstention}.get(ability, self.items)


_PROXY = Scoring(
    "Abilities (proxy, no model)",
    nugget.ORDER,
    nugget.ABSTENTION,
    nugget.NUGGET,
    "A proxy by words: published scores need a judge. Items of a rubric count 1, 0.5 or 0 by the share of their words "
    "in the answer; event ordering is Kendall's tau-b over the events that are named, scaled to 0 to 1, times the "
    "share that is named; abstention is whether the answer declines. A system that always declines wins abstention and "
    "loses the rest: read the overall mean.",
)
_JUDGED = Scoring(
    "Abilities (judge)",
    nugget.ORDER,
    _JUDGE,
    _JUDGE,
    "Items of the rubric by a language model as judge, 1, 0.5 or 0 each; event ordering stays the proxy.",
)
_JUDGED_LEGACY = Scoring(
    "Abilities (judge, as published)",
    nugget.ORDER_LEGACY,
    f"{_JUDGE}_legacy",
    f"{_JUDGE}_legacy",
    "The judge does not see the question and 0.5 counts 0, as in the published code.",
)


def render_beam_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``beam`` experiments of a results folder, one group for each set of questions and agent."""
    return [section for group in rollup_groups(results, [_TAG]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    for scoring in (_PROXY, _JUDGED, _JUDGED_LEGACY):
        if _is_used(group, scoring):
            yield heading(3, scoring.title)
            notes = [scoring.note, _OVERALL_NOTE, *group.cautions(scoring.items, scoring.order, scoring.abstention)]
            yield "\n\n".join([str(_abilities(group, scoring)), *notes])
    yield from published_section(group.members, _title)
    for metric in sorted({name for member in group.members for name in member.overall if _RECALL.fullmatch(name)}):
        yield heading(3, f"Retrieval ({metric}), by ability")
        yield f"{group.by_tag(_TAG, metric)}\n\nThe share of the labelled messages among the first recalled items."


def _is_used(group: Group, scoring: Scoring) -> bool:
    """Whether anything was scored so; the order of events is the proxy's, under whichever scoring it is shown."""
    own = {scoring.items, scoring.abstention} | ({scoring.order} if scoring is _PROXY else set())
    return any(member.of(metric) for member in group.members for metric in own)


def _abilities(group: Group, scoring: Scoring) -> Table:
    """A row per ability and the overall mean, a column per memory system."""
    table = Table("ability", "metric", *map(_title, group.members))
    for name, ability in ABILITIES.items():
        metric = scoring.metric_of(name)
        table.add(ability.title, metric, *(cell(member.of(metric, _TAG, name)) for member in group.members))
    table.add(bold("Overall"), "mean", *(score(_overall(member, scoring)) for member in group.members))
    return table


def _overall(member: Member, scoring: Scoring) -> float | None:
    means: Mapping[str, float | None] = {name: member.mean(scoring.metric_of(name), _TAG, name) for name in ABILITIES}
    known = [mean for mean in means.values() if mean is not None]
    return sum(known) / len(known) if known else None


def _title(member: Member) -> str:
    bound = member.digest.bound
    return member.name if bound is None else f"{member.name} ({bound.label})"

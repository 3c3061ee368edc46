"""LongMemEval's roll-up: the types of questions by memory system, each kind of scoring apart, and what was found.

Reads saved artifacts only.
"""

import re
from collections.abc import Iterator, Sequence

from heams.benchmarks.longmemeval.question_types import PREFERENCE, QUESTION_TYPES, TITLES
from heams.evaluation import longmemeval
from heams.reporting.figures import score
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, heading
from heams.reporting.rollup_groups import Group, Member, rollup_groups
from heams.reporting.wording import cell

_TYPE, _KIND, _ABSTENTION = "question_type", "kind", "abstention"
_JUDGE = "judge_longmemeval"
_RECALL = re.compile(r"(?:session_)?recall@[0-9]+")
_MEANS_NOTE = "*Macro* is the mean over the types, each alike; *micro* is the mean over the questions."
_PROXY_NOTE = (
    "A proxy by words: published scores need a judge, and no proxy compares with them. Short golds must be found "
    "in the answer, longer ones count by token F1. *Abstention* is whether answers to unanswerable questions decline; "
    "its rule is another, so it is in neither mean. Questions about preferences have no proxy, for their gold is a "
    "rubric: they have no column. Who always declines has an abstention of 1 and means of 0: read them together."
)
_JUDGE_NOTE = (
    "By a language model as judge, each type by its own rule. As published, unanswerable questions count in the type "
    "of the question that they were made from, and in both means; *abstention* shows them alone."
)
_RECALL_NOTE = (
    "The share of the labelled turns (*recall*), or of the sessions that hold them (*session recall*), among the first "
    "recalled items. Unanswerable questions have no evidence and are left out."
)


def render_longmemeval_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``longmemeval`` experiments, one group for each set of questions and agent."""
    return [section for group in rollup_groups(results, [_TYPE, _KIND]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    if any(member.of(metric) for member in group.members for metric in (longmemeval.ANSWER, longmemeval.ABSTENTION)):
        yield heading(3, "Types of questions (proxy, no model)")
        cautions = group.cautions(longmemeval.ANSWER, longmemeval.ABSTENTION)
        yield "\n\n".join([str(_proxy(group)), _PROXY_NOTE, _MEANS_NOTE, *cautions])
    if any(member.of(_JUDGE) for member in group.members):
        yield heading(3, "Types of questions (judge)")
        yield "\n\n".join([str(_judged(group)), _JUDGE_NOTE, _MEANS_NOTE, *group.cautions(_JUDGE)])
    for metric in sorted({name for member in group.members for name in member.overall if _RECALL.fullmatch(name)}):
        yield heading(3, f"Retrieval ({metric}), by type")
        yield f"{group.by_tag(_KIND, metric)}\n\n{_RECALL_NOTE}"


def _proxy(group: Group) -> Table:
    types = [name for name in QUESTION_TYPES if name != PREFERENCE]
    table = Table("memory system", "reference", ">macro", "micro", "abstention", *(TITLES[name] for name in types))
    for member in group.members:
        by_type = (cell(member.of(longmemeval.ANSWER, _TYPE, name)) for name in types)
        table.add(
            *member.cells,
            score(macro(member, longmemeval.ANSWER)),
            cell(member.of(longmemeval.ANSWER)),
            cell(member.of(longmemeval.ABSTENTION)),
            *by_type,
        )
    return table


def _judged(group: Group) -> Table:
    titles = (TITLES[name] for name in QUESTION_TYPES)
    table = Table("memory system", "reference", ">macro", "micro", "abstention", *titles)
    for member in group.members:
        table.add(
            *member.cells,
            score(macro(member, _JUDGE)),
            cell(member.of(_JUDGE)),
            cell(member.of(_JUDGE, _KIND, _ABSTENTION)),
            *(cell(member.of(_JUDGE, _TYPE, name)) for name in QUESTION_TYPES),
        )
    return table


def macro(member: Member, metric: str) -> float | None:
    """The mean over types of the means within each; None where no type has a value."""
    means = [mean for name in QUESTION_TYPES if (mean := member.mean(metric, _TYPE, name)) is not None]
    return sum(means) / len(means) if means else None

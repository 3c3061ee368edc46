"""STALE's roll-up: what has ended and what still holds as two axes, then cell by cell; each kind of scoring apart.

Reads saved artifacts only.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heams.benchmarks.stale.probes import CELLS, CONTROL_CELLS, PROBES
from heams.evaluation import stale
from heams.reporting.figures import score
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, heading
from heams.reporting.rollup_groups import Group, Member, rollup_groups
from heams.reporting.wording import cell
from heta_framework.common.statistics.harmonic import harmonic_mean

_CELL, _SCENARIO = "cell", "scenario"
_AXES_NOTE = (
    "*Ended* is STALE's overall score: the mean over its six cells (three probes, two types of scenarios), each cell "
    "alike. *Still holds* is the mean over the three probes of the controls, which the published file lacks: there, "
    "nothing of the kind can be said, and a dash stands. Both axes count: doubting everything wins the first and loses "
    "the second, trusting everything the other way round. Their harmonic mean is high only where both are."
)
_ALL_THREE_NOTE = (
    "*All three* is the share of scenarios of which all three probes pass. Scenarios without a value for each of their "
    "three probes are left out of it."
)
_WITHOUT_VALUES = (
    "No question has a value: the published file gives no phrases for the proxy, and no judge was reached. "
    "The reports of the experiments say why."
)
_CELLS_NOTE = (
    "T1: the later remark is about the same thing; T2: it is about another, and the old state falls with it. SR (state "
    "resolution) asks for the state, PR (premise resistance) takes the old one for granted, IPA (implicit policy "
    "adaptation) asks for something to be done."
)


class Scoring(NamedTuple):
    """One kind of scoring: its metric where a state has ended, and where it holds."""

    title: str
    ended: str
    held: str
    note: str


_SCORINGS = (
    Scoring(
        "Ended, and still holding (proxy, no model)",
        stale.CHANGED,
        stale.HELD,
        "A proxy by phrases: published scores need a judge, and no proxy compares with them.",
    ),
    Scoring(
        "Ended, and still holding (judge)",
        "judge_stale",
        "judge_stale_still_holds",
        "By a language model as judge. Controls are judged by a policy of their own.",
    ),
)


def render_stale_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``stale`` experiments of a results folder, one group for each set of questions and agent."""
    return [section for group in rollup_groups(results, [_CELL, _SCENARIO]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    for scoring in _SCORINGS:
        metrics = (scoring.ended, scoring.held)
        owed = [summary for member in group.members for metric in metrics if (summary := member.of(metric)) is not None]
        if not owed:
            continue
        yield heading(3, scoring.title)
        if all(summary.summary.mean is None for summary in owed):
            yield _WITHOUT_VALUES
        else:
            notes = [scoring.note, _AXES_NOTE, _ALL_THREE_NOTE, *group.cautions(*metrics)]
            yield "\n\n".join([str(_axes(group, scoring)), *notes])
            yield heading(4, "Cell by cell")
            yield f"{_cells(group, scoring)}\n\n{_CELLS_NOTE}"


def _axes(group: Group, scoring: Scoring) -> Table:
    table = Table(
        "memory system",
        "reference",
        ">harmonic mean",
        ">ended (six cells)",
        ">still holds (three cells)",
        ">ended, all three",
        ">still holds, all three",
    )
    for member in group.members:
        ended, held = mean_of(member, scoring.ended, CELLS), mean_of(member, scoring.held, CONTROL_CELLS)
        both = None if ended is None or held is None else harmonic_mean(ended, held)
        whole = (all_three(member, metric) for metric in (scoring.ended, scoring.held))
        table.add(*member.cells, *map(score, (both, ended, held, *whole)))
    return table


def _cells(group: Group, scoring: Scoring) -> Table:
    table = Table("memory system", "reference", *CELLS, *CONTROL_CELLS)
    for member in group.members:
        ended = (cell(member.of(scoring.ended, _CELL, name)) for name in CELLS)
        held = (cell(member.of(scoring.held, _CELL, name)) for name in CONTROL_CELLS)
        table.add(*member.cells, *ended, *held)
    return table


def mean_of(member: Member, metric: str, cells: Sequence[str]) -> float | None:
    """The mean over cells of a metric's means, each alike; None where no cell has a value."""
    means = [mean for name in cells if (mean := member.mean(metric, _CELL, name)) is not None]
    return sum(means) / len(means) if means else None


def all_three(member: Member, metric: str) -> float | None:
    """The share of scenarios all of whose probes pass, among those with a value for each; None where there are none."""
    found = (by_metric.get(metric) for by_metric in member.within[_SCENARIO].values())
    means = [one.summary.mean for one in found if one is not None and one.summary.n == len(PROBES)]
    return sum(mean == 1 for mean in means) / len(means) if means else None

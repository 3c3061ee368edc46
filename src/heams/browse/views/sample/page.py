"""The page of a sample: what every part of it needs, read once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from heams.browse.index import Experiment, Opened
from heams.browse.pages.errors import Link, Problem
from heams.browse.queries.played_sample import Attempt, attempts_at, similar_ids
from heams.browse.queries.verdicts_of import SampleVerdict, verdicts_of
from heams.browse.rendering import links
from heams.browse.views.sample.asked import Asked
from heams.browse.views.sample.evidence import evidence_found, labelled_evidence
from heams.browse.views.sample.list_place import ListOrders, ListPlace, list_place
from heams.browse.views.sample.verdicts import (
    ChosenVerdict,
    VerdictGroup,
    choose,
    chosen_verdict,
    groups,
    metric_names,
)
from heams.orchestration.results import RunResult
from heams.reporting.tables import Tables
from heams.reporting.verdicts import VERDICTS

_MOST_LINKS = 10
_LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class PlayedRepeat:
    """A repeat of the sample, with its verdict under the chosen metric (None where it has none)."""

    repeat: int
    verdict: SampleVerdict | None
    this: bool


@dataclass(frozen=True, slots=True)
class SamplePageView:
    """``step`` is the one that the page looks at: of the address, or of the chosen verdict.

    ``gold`` are the events that hold the answer there, ``evidence`` is how many of how many were recalled.
    """

    asked: Asked
    result: RunResult
    attempts: tuple[Attempt, ...]
    repeats: tuple[PlayedRepeat, ...]
    verdicts: tuple[SampleVerdict, ...]
    groups: tuple[VerdictGroup, ...]
    counts: tuple[tuple[str, int], ...]
    chosen: ChosenVerdict | None
    step: int | None
    evidence: tuple[int, int] | None
    gold: frozenset[str]
    place: ListPlace


@dataclass(frozen=True, slots=True)
class Found:
    """A played sample in the tables."""

    position: int
    repeat: int
    attempts: tuple[Attempt, ...]


def find(tables: Tables, wanted: Asked) -> Found:
    """The played sample of an address; without a repeat the first one.

    Raises:
        Problem: there is none; it names similar ids, or the repeats that there are.
    """
    attempts = tuple(attempts_at(tables, wanted.sample_id))
    final = {one.repeat: one for one in attempts if one.final}
    if not final:
        raise _no_such_sample(tables, wanted)
    repeat = min(final) if wanted.repeat is None else wanted.repeat
    if repeat not in final:
        onward = [Link(f"Repeat {one}", links.sample(wanted.key, wanted.sample_id, one, wanted.step)) for one in final]
        words = f"“{wanted.sample_id}” has no repeat {repeat}; there are {', '.join(map(str, final))}."
        raise Problem(words, onward[:_MOST_LINKS], HTTPStatus.NOT_FOUND)
    return Found(final[repeat].position, repeat, attempts)


def sample_page_view(
    experiment: Experiment,
    tables: Opened,
    wanted: Asked,
    orders: ListOrders,
) -> SamplePageView:
    """Everything but what only one tab shows.

    Raises:
        Problem: there is no such sample.
        ResultsError: its line cannot be read.
    """
    found = find(tables, wanted)
    result = experiment.result(found.position)
    finals = sorted((one for one in found.attempts if one.final), key=lambda one: one.repeat)
    everything = verdicts_of(tables, [one.position for one in finals])
    mine = tuple(one for one in everything if one.position == found.position)
    first = experiment.info.headline_metrics
    chosen = choose(mine, wanted, first)
    step = _looked_at(wanted, chosen)
    return SamplePageView(
        asked=wanted,
        result=result,
        attempts=found.attempts,
        repeats=tuple(_repeats(finals, everything, chosen, found.position)),
        verdicts=mine,
        groups=tuple(groups(result, mine, chosen)),
        counts=tuple(_counts(mine)),
        chosen=chosen_verdict(result, chosen, metric_names(mine), diff=wanted.diff) if chosen else None,
        step=step,
        evidence=evidence_found(result, step),
        gold=labelled_evidence(result, step),
        place=list_place(experiment, tables, orders, wanted, _row(mine, wanted, chosen, first)),
    )


def _looked_at(wanted: Asked, chosen: SampleVerdict | None) -> int | None:
    """The step of the address, where the tab is about steps; else that of the chosen verdict."""
    if wanted.at is not None and wanted.tab != "verdict":
        return wanted.at
    return chosen.step if chosen is not None else wanted.step


def _no_such_sample(tables: Tables, wanted: Asked) -> Problem:
    onward = [
        Link(f"Did you mean {one}?", links.sample(wanted.key, one)) for one in similar_ids(tables, wanted.sample_id)
    ]
    words = f"There is no sample “{wanted.sample_id[:_LONGEST_ID]}” in this experiment."
    return Problem(words, [*onward, Link("All samples", links.samples(wanted.key))], HTTPStatus.NOT_FOUND)


def _row(
    verdicts: Sequence[SampleVerdict], wanted: Asked, chosen: SampleVerdict | None, first: Sequence[str]
) -> SampleVerdict | None:
    """The row of the list that the sample was opened from, whichever of its verdicts is looked at meanwhile."""
    listed = ("", f"{chosen.evaluator}/{chosen.metric}") if chosen is not None else ()
    if wanted.metric in listed:
        return chosen
    row = choose(verdicts, replace(wanted, verdict=None), first)
    return row if row is not None and f"{row.evaluator}/{row.metric}" == wanted.metric else None


def _repeats(
    finals: Sequence[Attempt], verdicts: Sequence[SampleVerdict], chosen: SampleVerdict | None, position: int
) -> Iterator[PlayedRepeat]:
    for one in finals:
        alike = (
            verdict
            for verdict in verdicts
            if chosen is not None and verdict.position == one.position and _question(verdict) == _question(chosen)
        )
        yield PlayedRepeat(one.repeat, next(alike, None), one.position == position)


def _question(verdict: SampleVerdict) -> tuple[object, ...]:
    return verdict.evaluator, verdict.metric, verdict.step, verdict.ordinal


def _counts(verdicts: Sequence[SampleVerdict]) -> Iterator[tuple[str, int]]:
    counted = Counter(one.verdict for one in verdicts)
    yield from ((name, counted[name]) for name in VERDICTS if counted[name])

"""Many comparisons of which only the numbers are wanted: in another process, so that pages are not kept waiting."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, TypeVar

from heams.browse.comparing.computing import Place, Wish, compare_files, compare_now, place_of
from heams.browse.comparing.condensed import Condensed
from heams.browse.index import Experiment
from heams.browse.index.elsewhere import elsewhere
from heams.browse.index.writing import is_large
from heams.reporting.compare import MetricKey, PairedNumbers, Unlike, UnlikeExperiments
from heams.reporting.errors import ResultsError


class Job(NamedTuple):
    """Compare ``b`` with ``a`` by a metric."""

    a: Experiment
    b: Experiment
    key: MetricKey


@dataclass(frozen=True, slots=True)
class Refused:
    """The experiments differ in what is not allowed, by these names."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing could be compared."""

    words: str


Outcome = PairedNumbers | Refused | Failed
Side = TypeVar("Side", Experiment, Place)


def compare_batch(jobs: Sequence[Job], wanted: Callable[[], bool] = lambda: True) -> list[Outcome]:
    """What came of each job; of fewer, if they are not ``wanted`` any more.

    Raises:
        ResultsError: results cannot be read.
    """
    if not any(is_large(one.results) for job in jobs for one in (job.a, job.b)):
        return elsewhere(_compare_all, [(_place(job.a), _place(job.b), job.key) for job in jobs])
    found: list[Outcome] = []
    for a, b, key in jobs:
        if not wanted():
            break
        found.append(outcome_of_job(compare_now, a, b, key))
    return found


def _place(experiment: Experiment) -> Place:
    with experiment.tables() as tables:
        return place_of(experiment, tables)


def _compare_all(jobs: Sequence[tuple[Place, Place, MetricKey]]) -> list[Outcome]:
    return [outcome_of_job(compare_files, a, b, key) for a, b, key in jobs]


def outcome_of_job(
    compare: Callable[[Side, Side, Wish], Condensed | tuple[Unlike, ...]], a: Side, b: Side, key: MetricKey
) -> Outcome:
    """What ``compare`` comes to: numbers without the pairs, of which there may be many."""
    try:
        found = compare(a, b, Wish(key))
    except UnlikeExperiments as refused:
        return Refused(refused.names)
    except ResultsError as problem:
        return Failed(str(problem))
    if not isinstance(found, Condensed):
        return Refused(tuple(dict.fromkeys(difference.name for difference in found)))
    return PairedNumbers(**{each.name: getattr(found.comparison, each.name) for each in fields(PairedNumbers)})

"""What other experiments of the same benchmark say about the same question."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heams.browse.index import Experiment
from heams.browse.queries.verdicts_of import SampleVerdict, same_verdict
from heams.reporting.errors import ResultsError

MOST = 60
"""Experiments that are asked."""


@dataclass(frozen=True, slots=True)
class OtherRun:
    """Another experiment; ``verdict`` is None where it did not play the question, or has no such metric."""

    key: str
    agent: str
    memory_system: str
    this: bool
    verdict: SampleVerdict | None
    problem: str | None = None


def rivals(experiment: Experiment, all_experiments: Iterable[Experiment]) -> list[Experiment]:
    """The experiments of the same benchmark, without this one."""
    mine = experiment.results
    return [
        one
        for one in all_experiments
        if one.key != experiment.key
        and one.results.benchmark_type == mine.benchmark_type
        and one.results.labels.benchmark == mine.labels.benchmark
    ]


def other_runs(
    experiment: Experiment, others: Iterable[Experiment], sample_id: str, repeat: int, verdict: SampleVerdict
) -> list[OtherRun]:
    """This experiment and the others, the best first, those without a verdict last."""
    mine = experiment.results.labels
    found = [OtherRun(experiment.key, mine.agent, mine.memory_system, True, verdict)]
    found += _asked(list(others)[:MOST], sample_id, repeat, verdict)
    return sorted(found, key=_place)


def _asked(others: Iterable[Experiment], sample_id: str, repeat: int, verdict: SampleVerdict) -> Iterator[OtherRun]:
    for one in others:
        labels = one.results.labels
        try:
            with one.tables() as tables:
                same = same_verdict(tables, sample_id, repeat, verdict)
        except ResultsError as error:
            yield OtherRun(one.key, labels.agent, labels.memory_system, False, None, str(error))
        else:
            yield OtherRun(one.key, labels.agent, labels.memory_system, False, same)


def _place(run: OtherRun) -> tuple[bool, float, str, str]:
    verdict = run.verdict
    value = verdict.value if verdict is not None else None
    return verdict is None, -(value if value is not None else -1.0), run.memory_system, run.key

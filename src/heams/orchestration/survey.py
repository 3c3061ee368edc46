"""What a run would do, found out without doing it: samples, exclusions, histories, and planned calls."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Experiment
from heams.orchestration.loading import load_benchmark
from heams.orchestration.plan import DuplicateSampleId, plan
from heams.orchestration.resolve import ResolvedRun
from heams.orchestration.resume import FinishedIndex


@dataclass(frozen=True, slots=True)
class BenchmarkSurvey:
    """One benchmark: ``stimuli`` are the questions that an agent will answer, ``events`` what memories will hear."""

    samples: int
    histories: int
    events: int
    stimuli: int
    skipped: tuple[SkipReason, ...] = ()
    problem: str | None = None

    def reasons(self) -> Counter[tuple[str, str]]:
        """How often each (kind, rule) occurs among exclusions and repairs."""
        return Counter((reason.kind, reason.rule) for reason in self.skipped)


@dataclass(frozen=True, slots=True)
class RunSurvey:
    """A whole run. ``planned_calls`` counts agent answers; offline components make no model calls."""

    run: ResolvedRun
    benchmarks: dict[str, BenchmarkSurvey] = field(default_factory=dict)

    def of(self, experiment: Experiment) -> BenchmarkSurvey:
        """The survey of an experiment's benchmark."""
        return self.benchmarks[_key(experiment)]

    def scenarios(self, experiment: Experiment) -> int:
        """How many scenarios the experiment has, repeats included."""
        return self.of(experiment).samples * experiment.settings.repeats

    @property
    def problems(self) -> list[str]:
        """What would stop the run."""
        return [survey.problem for survey in self.benchmarks.values() if survey.problem]


def survey(run: ResolvedRun, *, limit: int | None = None) -> RunSurvey:
    """Load every benchmark of ``run`` once and count what would be played."""
    found: dict[str, BenchmarkSurvey] = {}
    for experiment in run.experiments:
        if _key(experiment) not in found:
            found[_key(experiment)] = _survey(experiment, limit)
    return RunSurvey(run, found)


def _survey(experiment: Experiment, limit: int | None) -> BenchmarkSurvey:
    try:
        benchmark = load_benchmark(experiment.benchmark)
        planned = plan(benchmark.samples, FinishedIndex(), repeats=1, limit=limit)
        counted = _count(planned.sample for planned in planned)
    except (RunRefused, DuplicateSampleId) as cause:
        return BenchmarkSurvey(0, 0, 0, 0, problem=f"{experiment.benchmark.label}: {cause}")
    return BenchmarkSurvey(*counted, skipped=tuple(benchmark.skipped))


def _count(samples: Iterable[BenchmarkSample]) -> tuple[int, int, int, int]:
    total = events = stimuli = 0
    histories: set[str] = set()
    for sample in samples:
        total += 1
        stimuli += sum(action.type == "user_stimulus" for action in sample.execution_sequence)
        if sample.history is not None and sample.history.id not in histories:
            histories.add(sample.history.id)
            events += len(sample.history.events)
    return total, len(histories), events, stimuli


def _key(experiment: Experiment) -> str:
    return f"{experiment.benchmark.source}:{experiment.benchmark.label}"

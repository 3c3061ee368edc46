"""One experiment as a row of the runs page."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from heams.benchmarks.info import ReportDimension
from heams.browse.index import Experiment
from heams.browse.index.signs_of_life import under_way
from heams.orchestration.results import RunStatus
from heams.reporting.bounds import Bound
from heams.reporting.digest import Digest
from heams.reporting.errors import ResultsError
from heams.reporting.metrics import MetricSummary, names
from heams.reporting.part_names import PartNames, part_names, shared
from heams.reporting.wording import cost_of, few_clusters
from heta_framework.common.config import ConfigError

_LAST = 1_000_000
"""The order of what no benchmark is known of."""


@dataclass(frozen=True, slots=True)
class Score:
    """A headline metric: its name in tables, and in addresses (``evaluator/metric``).

    ``caution`` says where its interval rests on few histories.
    """

    name: str
    metric: str
    of: MetricSummary
    caution: str | None


@dataclass(frozen=True, slots=True)
class Measured:
    """What was read of the results. Counts are those of the first headline metric, which ``score`` is."""

    scores: tuple[Score, ...]
    bound: Bound | None
    n: int
    errors: int
    unscored: int
    unsupported: int
    cost: str
    cost_usd: float | None
    p50: float | None
    p95: float | None
    saved: int
    damaged: int
    complete: bool

    @property
    def score(self) -> Score | None:
        """The first headline metric."""
        return self.scores[0] if self.scores else None


@dataclass(frozen=True, slots=True)
class RunRow:
    """``measured`` is None where the results cannot be read, and ``problem`` says why."""

    key: str
    folder: str
    benchmark: str
    dimension: str
    section: str | None
    order: int
    agent: str
    memory_system: str
    part_names: PartNames
    status: RunStatus | None
    measured: Measured | None = None
    problem: str | None = None

    @property
    def state(self) -> str | None:
        """running, completed, interrupted, failed; None where it was not saved."""
        return self.status.state if self.status is not None else None

    @property
    def key_says_more(self) -> bool:
        """Whether the key is not just the names of the parts, as a matrix makes it."""
        return not self.key.startswith(f"{self.agent}__{self.memory_system}__")

    @property
    def words(self) -> str:
        """What the text filter looks in."""
        parts = (self.key, self.benchmark, self.section, self.dimension, self.agent, self.memory_system, self.state)
        bound = self.measured.bound.label if self.measured is not None and self.measured.bound is not None else None
        return " ".join(part for part in (*parts, bound) if part).casefold()

    def alive(self, now: datetime) -> bool:
        """Whether a run is under way and has given a sign of it lately."""
        return under_way(self.status, now)

    def remaining_seconds(self) -> float | None:
        """How long the rest will take at the pace so far; None where nothing can be said."""
        status = self.status
        if status is None or status.state != "running" or not 0 < status.finished < status.total:
            return None
        passed = (status.updated_at - status.started_at).total_seconds()
        return passed / status.finished * (status.total - status.finished)


def read_row(experiment: Experiment) -> RunRow:
    """The row of an experiment; with the problem where its configuration or its results cannot be read."""
    row = _nameless_row(experiment)
    try:
        row = _unread_row(experiment)
        return replace(row, measured=measured(experiment.digest()))
    except (ResultsError, ConfigError) as error:
        return replace(row, problem=str(error))


def _nameless_row(experiment: Experiment) -> RunRow:
    """The row of an experiment whose configuration says nothing: only its folder and its status are known."""
    return RunRow(
        key=experiment.key,
        folder=str(experiment.results.directory.parent),
        benchmark="unknown",
        dimension=ReportDimension.PERFORMANCE.value,
        section=None,
        order=_LAST,
        agent="unknown",
        memory_system=experiment.key,
        part_names=part_names({}),
        status=experiment.results.status,
    )


def _unread_row(experiment: Experiment) -> RunRow:
    results = experiment.results
    info, labels = experiment.info, results.labels
    return RunRow(
        key=experiment.key,
        folder=str(results.directory.parent),
        benchmark=info.name_for(results.config.get("benchmark_config", {})),
        dimension=info.dimension.value,
        section=info.section,
        order=info.order,
        agent=labels.agent,
        memory_system=labels.memory_system,
        part_names=part_names(results.config),
        status=results.status,
    )


def measured(digest: Digest) -> Measured:
    """What the table shows of a digest."""
    name, noun = names(digest.metrics), shared(digest.results.config)
    scores = tuple(
        Score(
            name[one.evaluator, one.metric],
            f"{one.evaluator}/{one.metric}",
            one,
            next(iter(few_clusters([one], noun)), None),
        )
        for one in digest.headline
    )
    first = scores[0].of if scores else None
    answering = digest.latencies["answer"]
    return Measured(
        scores=scores,
        bound=digest.bound,
        n=first.summary.n if first else 0,
        errors=first.errors if first else digest.progress.errors,
        unscored=first.unscored if first else 0,
        unsupported=first.unsupported if first else 0,
        cost=cost_of(digest),
        cost_usd=digest.cost_usd,
        p50=answering.p50,
        p95=answering.p95,
        saved=digest.progress.saved,
        damaged=len(digest.damaged),
        complete=digest.progress.complete,
    )


def now() -> datetime:
    """The time against which signs of life are measured."""
    return datetime.now(UTC)

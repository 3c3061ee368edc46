"""Which experiments of a benchmark are shown to be better than which others: found in the background, never waited for.

All pairs are tested, and p values adjusted for their number (Holm). Pairs that are not like with like are left out.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock, Thread
from time import monotonic
from typing import NamedTuple

from heams.browse.comparing.batches import Failed, Job, Outcome, Refused, compare_batch
from heams.browse.index import Experiment
from heams.reporting.compare import MetricKey, PairedNumbers
from heams.reporting.compare.groups import adjusted_by_holm
from heams.reporting.compare.verdict import outcome_of
from heams.reporting.errors import ResultsError

_PATIENCE_SECONDS = 60.0
"""What nobody has asked for so long is not computed any more."""
_MOST = 256
_WORTH_A_PROCESS = 30
"""So many comparisons take longer than a process takes to start."""
Key = tuple[object, ...]
Compare = Callable[[Sequence[Job], Callable[[], bool]], list[Outcome]]


@dataclass(frozen=True)
class Contest:
    """The ``pairs`` of experiments of one benchmark that are tested, by each of the metrics of ``keys``."""

    pairs: tuple[tuple[Experiment, Experiment], ...]
    keys: tuple[MetricKey, ...]

    @property
    def jobs(self) -> list[Job]:
        """The comparisons that it takes."""
        return [Job(a, b, key) for key in self.keys for a, b in self.pairs]

    @property
    def identity(self) -> Key:
        """Changes with the results of any of the experiments."""
        versions = ((one.key, one.version) for pair in self.pairs for one in pair)
        return (tuple(versions), self.keys)


class Won(NamedTuple):
    """By this metric the winner is better than the loser, both by their keys; ``p`` is adjusted."""

    winner: str
    loser: str
    metric: MetricKey
    p: float


@dataclass(frozen=True, slots=True)
class Standings:
    """What came of a contest.

    ``tests`` counts comparisons, ``hopeless`` those of so few questions or histories that nothing could be shown,
    ``unlike`` the pairs that were not compared, with the names of what differs.
    """

    won: tuple[Won, ...] = ()
    tests: int = 0
    hopeless: int = 0
    unlike: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    problem: str | None = None


class Marks:
    """Standings of contests, found one after the other by a thread that ends when there is nothing to do."""

    def __init__(self, compare: Compare = compare_batch) -> None:
        self._compare = compare
        self._lock = Lock()
        self._known: OrderedDict[Key, Standings] = OrderedDict()
        self._wanted: OrderedDict[Key, Contest] = OrderedDict()
        self._asked = 0.0
        self._thread: Thread | None = None

    def of(self, contests: Sequence[Contest]) -> list[Standings | None]:
        """The standings of each contest; None where they are not known yet: ask again later."""
        with self._lock:
            self._asked = monotonic()
            found = [self._standings(contest) for contest in contests]
            if self._wanted and self._thread is None:
                self._thread = Thread(target=self._work, name="heams-browse-marks", daemon=True)
                self._thread.start()
            return found

    def wait(self, seconds: float) -> bool:
        """Wait until everything is known that was asked for; False where it takes longer."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return not self._wanted

    def _standings(self, contest: Contest) -> Standings | None:
        if not contest.pairs or not contest.keys:
            return Standings()
        key = contest.identity
        if key not in self._known:
            self._wanted.setdefault(key, contest)
            return None
        self._known.move_to_end(key)
        return self._known[key]

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._wanted or self._forgotten():
                    self._wanted.clear()
                    self._thread = None
                    return
                batch = _batch(self._wanted)
            found = self._contested(list(batch.values()))
            with self._lock:
                for key in batch:
                    self._wanted.pop(key, None)
                self._known |= zip(batch, found, strict=False)
                while len(self._known) > _MOST:
                    self._known.popitem(last=False)

    def _forgotten(self) -> bool:
        return monotonic() - self._asked > _PATIENCE_SECONDS

    def _contested(self, contests: Sequence[Contest]) -> list[Standings]:
        """The standings of each; of none where they were given up, because nobody asks any more."""
        import duckdb

        jobs = [contest.jobs for contest in contests]
        try:
            outcomes = self._compare([job for several in jobs for job in several], lambda: not self._forgotten())
        except (ResultsError, OSError, duckdb.Error) as problem:
            return [Standings(problem=str(problem)) for _ in contests]
        if len(outcomes) < sum(map(len, jobs)):
            return []
        remaining = iter(outcomes)
        return [decided(several, [next(remaining) for _ in several]) for several in jobs]


def _batch(wanted: Mapping[Key, Contest]) -> dict[Key, Contest]:
    """The next contests, as many as are worth another process."""
    batch: dict[Key, Contest] = {}
    for key, contest in wanted.items():
        batch[key] = contest
        if sum(len(one.jobs) for one in batch.values()) >= _WORTH_A_PROCESS:
            break
    return batch


def decided(jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> Standings:
    """Who won a contest, once all p values are adjusted."""
    both = list(zip(jobs, outcomes, strict=True))
    tested = [(job, numbers) for job, numbers in both if isinstance(numbers, PairedNumbers)]
    adjusted = adjusted_by_holm([numbers.p for _, numbers in tested])
    return Standings(
        won=tuple(_won(tested, adjusted)),
        tests=sum(p is not None for p in adjusted),
        hopeless=sum(numbers.test is not None and not numbers.test.can_tell for _, numbers in tested),
        unlike={(job.a.key, job.b.key): refused.names for job, refused in both if isinstance(refused, Refused)},
        problem=next((failed.words for failed in outcomes if isinstance(failed, Failed)), None),
    )


def _won(tested: Sequence[tuple[Job, PairedNumbers]], adjusted: Sequence[float | None]) -> Iterable[Won]:
    for (job, numbers), p in zip(tested, adjusted, strict=True):
        outcome = outcome_of(numbers, p)
        if p is not None and outcome == "better":
            yield Won(job.b.key, job.a.key, job.key, p)
        elif p is not None and outcome == "worse":
            yield Won(job.a.key, job.b.key, job.key, p)

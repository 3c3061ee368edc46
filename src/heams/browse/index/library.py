"""All experiments below the folders that were given, found again when new ones begin."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Self

from heams.browse.index.database import Database
from heams.browse.index.experiment import Experiment
from heams.reporting.errors import ResultsError
from heams.reporting.load import ExperimentResults, load_results
from heta_framework.common.config import nearest

_SECONDS_BETWEEN_LOOKS = 1.0


class NoSuchExperiment(LookupError):  # noqa: N818 - named after what was found
    """No experiment has this key. ``nearest`` is the one that is meant, perhaps."""

    def __init__(self, key: str, keys: Iterable[str]) -> None:
        super().__init__(f"there is no experiment {key!r}")
        self.key = key
        self.nearest = nearest(key, list(keys))


class Library:
    """The experiments of one or several results folders, each under a key of its own.

    Use as a context manager. ``all_runs`` lists the earlier runs of an experiment too, as ``<key>@<run_id>``.

    Raises:
        ResultsError: one of the folders is missing or holds no results.
    """

    def __init__(self, paths: Sequence[Path], *, all_runs: bool = False) -> None:
        self.paths = tuple(paths)
        self._all_runs = all_runs
        self._lock = Lock()
        self._looked = monotonic()
        found = self._discovered()
        self._database = Database()
        self._experiments = self._updated({}, found)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """In the order of the folders, then by name."""
        return tuple(self._experiments.values())

    def experiment(self, key: str) -> Experiment:
        """The experiment of a key.

        Raises:
            NoSuchExperiment: there is none.
        """
        try:
            return self._experiments[key]
        except KeyError:
            raise NoSuchExperiment(key, self._experiments) from None

    def refresh(self) -> None:
        """Notice new results and new experiments; does nothing when it was called within the last second."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            if monotonic() - self._looked < _SECONDS_BETWEEN_LOOKS:
                return
            self._look()
            self._looked = monotonic()
        finally:
            self._lock.release()

    def close(self) -> None:
        """Delete the index."""
        self._database.close()

    def _look(self) -> None:
        before = self.experiments
        try:
            self._experiments = self._updated(self._experiments, self._discovered())
        except ResultsError:
            return  # the folders are being moved: what was read is still right
        for gone in set(before) - set(self.experiments):
            gone.forget()
        for experiment in self.experiments:
            experiment.refresh()

    def _discovered(self) -> list[tuple[Path, ExperimentResults]]:
        return [(path, found) for path in self.paths for found in self._runs_in(path)]

    def _runs_in(self, path: Path) -> Iterator[ExperimentResults]:
        for newest in load_results(path).experiments:
            yield newest
            if self._all_runs:
                others = sorted(set(newest.run_ids) - {newest.run_id}, reverse=True)
                yield from (ExperimentResults(newest.directory, run_id) for run_id in others)

    def _updated(
        self, known: dict[str, Experiment], found: list[tuple[Path, ExperimentResults]]
    ) -> dict[str, Experiment]:
        there = {(one.results.directory, one.results.run_id): one for one in known.values()}
        return {
            key: there.get((results.directory, results.run_id)) or Experiment(key, results, self._database)
            for key, results in _keyed(found)
        }


def _keyed(found: Sequence[tuple[Path, ExperimentResults]]) -> Iterator[tuple[str, ExperimentResults]]:
    """Every experiment with a key that no other has: its folder's name, with as much before it as that takes."""
    folders = dict.fromkeys((path, results.directory) for path, results in found)
    shared = Counter(directory.name for _, directory in folders)
    used: Counter[str] = Counter()
    keys = {}
    for path, directory in folders:
        name = directory.name if shared[directory.name] == 1 else f"{path.resolve().name}~{directory.name}"
        used[name] += 1
        keys[directory] = name if used[name] == 1 else f"{name}~{used[name]}"
    newest: set[Path] = set()
    for _, results in found:
        first = results.directory not in newest
        newest.add(results.directory)
        key = keys[results.directory]
        yield key if first else f"{key}@{results.run_id}", results

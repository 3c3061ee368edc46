"""One run of one experiment, as pages ask about it."""

from collections.abc import Collection, Mapping
from pathlib import Path
from threading import RLock

from heams.benchmarks.info import BenchmarkInfo
from heams.benchmarks.registry import report_info
from heams.browse.index.database import Database
from heams.browse.index.digesting import digest
from heams.browse.index.loaded import Loaded, load
from heams.browse.index.opened import Opened
from heams.browse.index.signs_of_life import under_way
from heams.browse.index.state import state_of
from heams.orchestration.results import RunResult
from heams.reporting.digest import Digest
from heams.reporting.errors import ResultsError
from heams.reporting.lines import validated
from heams.reporting.load import ExperimentResults

_IS_THERE = "SELECT count(*) FROM attempts WHERE rowid = $position"
"""Of any attempt: one that was the last for whoever asks may have been repeated a moment ago."""


class Experiment:
    """Its tables are read when they are first asked for, and again when its files have grown.

    ``key`` is its name in addresses. All methods may be called by several threads.
    """

    def __init__(self, key: str, results: ExperimentResults, database: Database) -> None:
        self.key = key
        self.results = results
        self._database = database
        self._lock = RLock()
        self._state = state_of(results.directory, results.run_id)
        self._loaded: Loaded | None = None
        self._former: Path | None = None
        self._digest: Digest | None = None

    @property
    def info(self) -> BenchmarkInfo:
        """How the benchmark is reported."""
        return report_info(self.results.benchmark_type)

    @property
    def version(self) -> str:
        """A text that is another one once the files have changed."""
        return self._state

    @property
    def ready(self) -> bool:
        """Whether tables and digest are at hand, so that asking for them takes no time."""
        return self._digest is not None

    @property
    def running(self) -> bool:
        """Whether a run is under way, as far as its files tell."""
        return under_way(self.results.status)

    def tables(self) -> Opened:
        """The tables, to be closed by a ``with`` block; they stay as they are until then.

        Raises:
            ResultsError: a file of results cannot be read.
        """
        with self._lock:
            loaded = self._read()
            return Opened(self._database, loaded.file, loaded.version)

    def digest(self) -> Digest:
        """What is known of the whole experiment.

        Raises:
            ResultsError: a file of results cannot be read.
        """
        with self._lock:
            if self._digest is None:
                loaded = self._read()
                with self.tables() as tables:
                    self._digest = digest(self.results, loaded, tables)
            return self._digest

    def raw(self, position: int) -> bytes:
        """The line of a played scenario.

        Raises:
            ResultsError: there is no such scenario.
        """
        with self._lock:
            loaded, opened = self._read(), self.tables()
        with opened as tables:
            there = tables.row(_IS_THERE, {"position": position}) == (1,)
        if not there or loaded.runs is None:
            raise ResultsError(f"{self.results.directory}: there is no scenario at {position}")
        return loaded.runs.line(position)

    def result(self, position: int) -> RunResult:
        """A played scenario.

        Raises:
            ResultsError: there is no such scenario, or another version of heams has written it.
        """
        return validated(RunResult, self.results.directory / "runs.jsonl", self.raw(position))

    def texts(self, keys: Collection[str]) -> Mapping[str, str]:
        """The texts of recalled items by their keys; those that were not saved are missing."""
        with self._lock:
            loaded, opened = self._read(), self.tables()
        with opened as tables:
            return loaded.texts.find(tables, keys)

    def refresh(self) -> None:
        """Notice that the files have grown."""
        state = state_of(self.results.directory, self.results.run_id)
        if state == self._state:
            return
        with self._lock:
            self._state = state
            self.results = ExperimentResults(self.results.directory, self.results.run_id)
            if self._former is not None:
                self._database.drop(self._former)  # other processes may still read the last one
            self._former = self._loaded.file if self._loaded is not None else None
            self._loaded, self._digest = None, None

    def forget(self) -> None:
        """Give back what the index has of it: it is no longer shown."""
        with self._lock:
            for file in (self._former, self._loaded.file if self._loaded is not None else None):
                if file is not None:
                    self._database.drop(file)
            self._former = self._loaded = self._digest = None

    def _read(self) -> Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = load(self._database, self.results, self._state)
            return self._loaded

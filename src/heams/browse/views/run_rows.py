"""The rows of all experiments, without making anybody wait: what is not read yet is read a little at each request.

A run under way changes its results all the time. Its row keeps the last scores until reading them again is due, so
that watching a large run does not cost as much as the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from time import monotonic

from heams.browse.index import Experiment, Library
from heams.browse.views.kept import REST
from heams.browse.views.run_row import RunRow, read_row

READING_SECONDS = 0.5
"""How long one request reads, beyond the experiment that it has begun with."""


@dataclass(frozen=True, slots=True)
class _Known:
    row: RunRow
    version: str
    due: float


class RunRows:
    """Rows of a library, kept between requests. May be called by several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[Experiment, _Known] = {}
        self._lock = Lock()

    def read(self) -> tuple[Sequence[RunRow], int]:
        """One row an experiment that was read, in the order of the library; and how many were not read yet."""
        experiments = self._library.experiments
        with self._lock:
            until = monotonic() + READING_SECONDS
            found = {experiment: self._row(experiment, until) for experiment in experiments}
            self._known = {experiment: known for experiment, known in found.items() if known is not None}
            return [known.row for known in self._known.values()], len(experiments) - len(self._known)

    def _row(self, experiment: Experiment, until: float) -> _Known | None:
        known, version, begun = self._known.get(experiment), experiment.version, monotonic()
        if known is not None and known.version == version:
            return known
        if begun > until or (known is not None and begun < known.due and experiment.running):
            return known and replace(known, row=replace(known.row, status=experiment.results.status))
        row = read_row(experiment)
        ended = monotonic()
        return _Known(row, version, ended + REST * (ended - begun))

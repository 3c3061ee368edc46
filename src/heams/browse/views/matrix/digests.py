"""The digests of all experiments, without making anybody wait: what is not read yet is read a little at each request.

A run under way changes its results all the time. Its last digest is kept until reading it again is due.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from heams.browse.index import Experiment, Library
from heams.browse.views.kept import REST
from heams.browse.views.matrix.columns import Column, columns
from heams.browse.views.matrix.entry import Entry
from heams.browse.views.recent import Recent
from heams.reporting.errors import ResultsError
from heta_framework.common.config import ConfigError

READING_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Read:
    """What was read. ``versions`` change with it; ``unread`` and ``unreadable`` count experiments."""

    columns: Sequence[Column]
    versions: tuple[str, ...]
    unread: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class _Known:
    entry: Entry | None
    version: str
    due: float


class Digests:
    """Digests of a library, kept between requests. May be called by several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[Experiment, _Known] = {}
        self._columns: Recent[Sequence[Column]] = Recent(1)
        self._lock = Lock()

    def read(self) -> Read:
        """The columns of what was read."""
        experiments = self._library.experiments
        with self._lock:
            until = monotonic() + READING_SECONDS
            found = {experiment: self._of(experiment, until) for experiment in experiments}
            self._known = {experiment: known for experiment, known in found.items() if known is not None}
            entries = [known.entry for known in self._known.values() if known.entry is not None]
            unread = len(experiments) - len(self._known)
            unreadable = len(self._known) - len(entries)
        versions = tuple(f"{entry.experiment.key} {entry.version}" for entry in entries)
        return Read(self._columns.of(versions, lambda: columns(entries)), versions, unread, unreadable)

    def _of(self, experiment: Experiment, until: float) -> _Known | None:
        known, version, begun = self._known.get(experiment), experiment.version, monotonic()
        if known is not None and (known.version == version or (begun < known.due and experiment.running)):
            return known
        if begun > until and not experiment.ready:
            return known
        try:
            entry = Entry(experiment, experiment.digest(), version)
        except (ResultsError, ConfigError):
            entry = None  # the runs page says why
        ended = monotonic()
        return _Known(entry, version, ended + REST * (ended - begun))

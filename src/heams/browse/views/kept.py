"""Views that take a while to build, kept for as long as the results behind them stay the same.

A run under way changes its results all the time. Its view is built again only when that is due, so that watching a
large run does not cost as much as the run.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from heams.browse.index import Experiment

View = TypeVar("View")
REST = 10
"""Building again waits so many times as long as the last building took, while a run is under way."""
_MOST = 32


@dataclass(frozen=True, slots=True)
class _Known(Generic[View]):
    view: View
    version: str
    due: float


class Kept(Generic[View]):
    """One view an experiment, the last ``most`` that were asked for. May be called by several threads."""

    def __init__(self, build: Callable[[Experiment], View], most: int = _MOST) -> None:
        self._build = build
        self._most = most
        self._views: OrderedDict[Experiment, _Known[View]] = OrderedDict()
        self._lock = Lock()

    def of(self, experiment: Experiment) -> View:
        """The view, built anew where the results have changed."""
        version, begun = experiment.version, monotonic()
        with self._lock:
            known = self._views.get(experiment)
            if known is not None and (known.version == version or (experiment.running and begun < known.due)):
                self._views.move_to_end(experiment)
                return known.view
        view = self._build(experiment)
        ended = monotonic()
        self._keep(experiment, _Known(view, version, ended + REST * (ended - begun)))
        return view

    def _keep(self, experiment: Experiment, known: _Known[View]) -> None:
        with self._lock:
            self._views[experiment] = known
            self._views.move_to_end(experiment)
            while len(self._views) > self._most:
                self._views.popitem(last=False)

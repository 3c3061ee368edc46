"""The base of all benchmarks: a synchronous, ordered source of samples."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason


class BaseBenchmark(ABC):
    """A data set as samples, in a fixed order.

    Subclasses need not call ``super().__init__()``. ``samples`` may be any ``Sequence``; a lazy one (whose items are
    made when asked for) keeps memory flat, because the run holds only a window of it. ``skipped`` lists exclusions and
    repairs.
    """

    skipped: Sequence[SkipReason] = ()

    @property
    @abstractmethod
    def samples(self) -> Sequence[BenchmarkSample]:
        """The samples, in the order in which they are played."""

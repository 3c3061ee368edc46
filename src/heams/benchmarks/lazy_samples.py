"""Samples that are made when they are asked for, so that a benchmark of any length keeps memory flat.

Their ids are known without making them, so that a resumed run makes only what is still to be played.
"""

from collections.abc import Callable, Sequence
from typing import overload

from heams.benchmarks.sample import BenchmarkSample


class LazySamples(Sequence[BenchmarkSample]):
    """``length`` samples; ``make(position)`` builds one, and must build the same one each time, with that id."""

    def __init__(self, length: int, make: Callable[[int], BenchmarkSample], id_at: Callable[[int], str]) -> None:
        self._positions = range(length)
        self._make = make
        self.id_at = id_at

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, index: int) -> BenchmarkSample: ...
    @overload
    def __getitem__(self, index: slice) -> list[BenchmarkSample]: ...
    def __getitem__(self, index: int | slice) -> BenchmarkSample | list[BenchmarkSample]:
        if isinstance(index, slice):
            return [self._make(position) for position in self._positions[index]]
        return self._make(self._positions[index])

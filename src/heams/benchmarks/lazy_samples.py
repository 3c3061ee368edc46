"""Samples that are made when they are asked for, so that a benchmark of any length keeps memory flat."""

from collections.abc import Callable, Sequence
from typing import overload

from heams.benchmarks.sample import BenchmarkSample


class LazySamples(Sequence[BenchmarkSample]):
    """``length`` samples; ``make(position)`` builds one, and must build the same one each time."""

    def __init__(self, length: int, make: Callable[[int], BenchmarkSample]) -> None:
        self._positions = range(length)
        self._make = make

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

"""A benchmark whose data is one file of cases: each case, with all that is asked about it, is a sample of its own."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.case_file import Record, read_cases
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample


class CaseBenchmark(BaseBenchmark, Generic[Record]):
    """The first ``limit`` cases of a file (all where it is None), each made into a sample when it is asked for.

    Raises:
        DatasetFormatError: the file is not in the format.
    """

    def __init__(self, path: Path, kind: type[Record], id_of: Callable[[Record], str], limit: int | None) -> None:
        cases = read_cases(path, kind, id_of, limit)
        self._samples = LazySamples(
            len(cases), lambda position: self._sample(cases[position]), lambda position: id_of(cases[position])
        )

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    @abstractmethod
    def _sample(self, case: Record) -> BenchmarkSample:
        """The sample of a case; the same one each time."""

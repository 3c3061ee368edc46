"""Which scenarios are still to be played, made one by one so that a benchmark of any length fits into memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from heams.benchmarks.sample import BenchmarkSample
from heams.orchestration.fingerprints import FingerprintSet
from heams.orchestration.resume import FinishedIndex


class DuplicateSampleId(Exception):  # noqa: N818 - named after what was found
    """Two samples of a benchmark have the same id, so their results could not be told apart."""


@runtime_checkable
class NamedSamples(Protocol):
    """Lazy samples may know their ids without being made; a resumed run then makes only what is still to be played."""

    def id_at(self, position: int) -> str:
        """The id of the sample at a position."""
        ...


@dataclass(frozen=True, slots=True)
class Planned:
    """One scenario to play; ``attempt`` is the number of its next attempt."""

    sample: BenchmarkSample
    repeat: int
    attempt: int


def planned_total(samples: Sequence[BenchmarkSample], *, repeats: int, limit: int | None) -> int:
    """How many scenarios a full run has."""
    return (len(samples) if limit is None else min(limit, len(samples))) * repeats


def plan(
    samples: Sequence[BenchmarkSample], finished: FinishedIndex, *, repeats: int, limit: int | None
) -> Iterator[Planned]:
    """Scenarios without a final result, in the benchmark's order, the repeats of a sample next to each other.

    Raises:
        DuplicateSampleId: as soon as an id comes a second time.
    """
    seen = FingerprintSet()
    for position, (sample_id, made) in enumerate(_named(samples, planned_total(samples, repeats=1, limit=limit))):
        if not seen.add(sample_id):
            _refuse_duplicate(samples, position)
        for repeat in range(repeats):
            if not finished.is_final(sample_id, repeat):
                made = made or samples[position]
                yield Planned(made, repeat, finished.next_attempt(sample_id, repeat))


def _named(samples: Sequence[BenchmarkSample], count: int) -> Iterator[tuple[str, BenchmarkSample | None]]:
    """The ids of samples, each with its sample where that had to be made to learn the id."""
    if isinstance(samples, NamedSamples):
        yield from ((samples.id_at(position), None) for position in range(count))
    else:
        yield from ((sample.id, sample) for sample in map(samples.__getitem__, range(count)))


def _refuse_duplicate(samples: Sequence[BenchmarkSample], position: int) -> None:
    wanted = samples[position].id
    for earlier in range(position):
        if samples[earlier].id == wanted:
            raise DuplicateSampleId(f"sample id {wanted!r} occurs twice: at positions {earlier + 1} and {position + 1}")

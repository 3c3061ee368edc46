"""Which scenarios are still to be played, made one by one so that a benchmark of any length fits into memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from heams.benchmarks.sample import BenchmarkSample
from heams.orchestration.resume import FinishedIndex
from heta_framework.common.text.fingerprints import FingerprintSet


class DuplicateSampleId(Exception):  # noqa: N818 - named after what was found
    """Two samples of a benchmark have the same id, so their results could not be told apart."""


class SampleUnreadable(Exception):  # noqa: N818 - named after what was found
    """A sample that was counted at the start cannot be made now (its file was changed or removed meanwhile)."""


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
        SampleUnreadable: the benchmark cannot make a sample.
    """
    seen = FingerprintSet()
    for position, (sample_id, made) in enumerate(_named(samples, planned_total(samples, repeats=1, limit=limit))):
        if not seen.add(sample_id):
            _refuse_duplicate(samples, position)
        for repeat in range(repeats):
            if not finished.is_final(sample_id, repeat):
                made = made or _made(samples, position)
                yield Planned(made, repeat, finished.next_attempt(sample_id, repeat))


def _named(samples: Sequence[BenchmarkSample], count: int) -> Iterator[tuple[str, BenchmarkSample | None]]:
    """The ids of samples, each with its sample where that had to be made to learn the id."""
    if isinstance(samples, NamedSamples):
        yield from ((samples.id_at(position), None) for position in range(count))
    else:
        yield from ((sample.id, sample) for sample in (_made(samples, position) for position in range(count)))


def _made(samples: Sequence[BenchmarkSample], position: int) -> BenchmarkSample:
    try:
        return samples[position]
    except Exception as cause:  # a benchmark may be anybody's code
        raise SampleUnreadable(f"sample {position + 1} cannot be read: {type(cause).__name__}: {cause}") from cause


def finished_within(
    samples: Sequence[BenchmarkSample], finished: FinishedIndex, *, repeats: int, limit: int | None
) -> int:
    """How many of the scenarios within ``limit`` have a final result."""
    total = planned_total(samples, repeats=repeats, limit=limit)
    if limit is None or not finished.completed:
        return min(finished.completed, total)
    ids = (sample_id for sample_id, _ in _named(samples, planned_total(samples, repeats=1, limit=limit)))
    return sum(finished.is_final(sample_id, repeat) for sample_id in ids for repeat in range(repeats))


def _refuse_duplicate(samples: Sequence[BenchmarkSample], position: int) -> None:
    wanted = samples[position].id
    for earlier in range(position):
        if samples[earlier].id == wanted:
            raise DuplicateSampleId(f"sample id {wanted!r} occurs twice: at positions {earlier + 1} and {position + 1}")

"""Harness CPU per durable sample, and whether it stays the same from 2,000 to 100,000 samples.

CPU is user and system time of the whole process around one run, after a warm-up that loads everything; the peer's is
measured in the same way. `python -m perf.harness_cpu`
"""

from collections.abc import Iterator
from functools import partial

from perf.bars import Beside, Figure
from perf.ours import middle, play
from perf.script import Session, run_scripts


def measure(session: Session) -> Iterator[Figure]:
    """One figure per size, and the ratio of the largest to the smallest."""
    scale, peer = session.scale, session.peer
    beside = None
    if peer is not None:
        count = scale.cpu_size_of_peer
        beside = Beside(peer.name, peer.play(count).cpu / count * 1_000)
    per_sample: list[float] = []
    for count in scale.cpu_sizes:
        per_sample.append(middle(partial(_cpu_ms, count), scale.repetitions if count <= 20_000 else 1))
        yield Figure("harness_cpu", per_sample[-1], beside, f"{count:,} samples")
    smallest, largest = scale.cpu_sizes[0], scale.cpu_sizes[-1]
    ideal = Beside("the ideal", 1.0)
    yield Figure("harness_cpu_growth", per_sample[-1] / per_sample[0], ideal, f"{largest:,} over {smallest:,} samples")


def _cpu_ms(count: int) -> float:
    return play(count).cpu / count * 1_000


if __name__ == "__main__":
    run_scripts(measure)

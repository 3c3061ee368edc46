"""Whether the harness keeps up with many slow answers at once: wall time around a run of answers of 50 ms.

The ideal is all answers in full batches of the concurrency, and nothing else. `python -m perf.waiting`
"""

from collections.abc import Iterator

from perf.bars import Beside, Figure
from perf.ours import middle, play
from perf.script import Session, run_scripts

LATENCY_S = 0.05


def measure(session: Session) -> Iterator[Figure]:
    """The wall time beside the ideal, and beside the peer's."""
    scale = session.scale
    count, concurrency = scale.waiting_samples, scale.waiting_concurrency
    wall = middle(lambda: play(count, latency=LATENCY_S, concurrency=concurrency).wall, scale.repetitions)
    yield Figure("waiting", wall, Beside("the ideal", count / concurrency * LATENCY_S))
    if session.peer is not None:
        waited = session.peer.play(count, latency=LATENCY_S, concurrency=concurrency).wall
        yield Figure("waiting", wall, Beside(session.peer.name, waited))


if __name__ == "__main__":
    run_scripts(measure)

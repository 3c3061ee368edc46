"""Whether memory stays flat: peak resident memory of a process that plays many samples over one that plays few.

The peer plays fewer samples, and its growth is scaled to the same number. `python -m perf.memory_growth`
"""

from collections.abc import Iterator

from perf.bars import Beside, Figure
from perf.ours import play
from perf.script import Session, run_scripts


def measure(session: Session) -> Iterator[Figure]:
    """The growth between the two sizes."""
    few, many = session.scale.memory_sizes
    low, high = play(few).peak_mb, play(many).peak_mb
    yield Figure("memory_growth", high - low, _peers_growth(session), f"from {low:.0f} to {high:.0f} MB")


def _peers_growth(session: Session) -> Beside | None:
    if session.peer is None:
        return None
    few, many = session.scale.memory_sizes_of_peer
    per_sample = (session.peer.play(many).peak_mb - session.peer.play(few).peak_mb) / (many - few)
    ours = session.scale.memory_sizes[1] - session.scale.memory_sizes[0]
    return Beside(f"{session.peer.name} (scaled up from {few:,} to {many:,} samples)", per_sample * ours)


if __name__ == "__main__":
    run_scripts(measure)

"""In which order the problems of a stream are met, and what is told after each: by split and seed, on any machine."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from heams.benchmarks.ee.config import Split
from heams.benchmarks.ee.records import ItemRecord, StreamRecord
from heams.scenarios.actions import FeedbackKind

Exposure = Literal["first", "repeat", "isomorphic"]
THIRDS = ("first", "middle", "last")


class Visit(NamedTuple):
    """One problem when its turn comes. ``feedback`` is None where nothing at all follows the answer."""

    item: ItemRecord
    exposure: Exposure
    feedback: FeedbackKind | None


def course(stream: StreamRecord, split: Split, seed: int, feedback: FeedbackKind) -> list[Visit]:
    """All visits of a stream."""

    def visits(items: Iterable[ItemRecord], exposure: Exposure, told: FeedbackKind | None = feedback) -> list[Visit]:
        salt = f"{seed}:{stream.stream_id}:{exposure}"
        return [Visit(item, exposure, told) for item in shuffled(items, salt)]

    match split:
        case "plain":
            return visits(stream.items, "first")
        case "repeat":
            return [*visits(stream.items, "first"), *visits(stream.items, "repeat")]
    tested = [item for item in stream.items if item.phase == "test"]
    templates = {item.template for item in tested}
    learnt = [item for item in stream.items if item.phase == "learn" and item.template in templates]
    return [*visits(learnt, "first"), *visits(tested, "isomorphic", None)]


def shuffled(items: Iterable[ItemRecord], salt: str) -> Sequence[ItemRecord]:
    """The items in an order that depends on the salt and their ids, on nothing else."""
    return sorted(items, key=lambda item: sha256(f"{salt}:{item.id}".encode()).digest())


def third_of(position: int, length: int) -> str:
    """In which third of a stream a position (from 0) lies."""
    return THIRDS[position * len(THIRDS) // length]

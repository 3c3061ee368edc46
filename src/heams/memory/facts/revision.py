"""Operations that a model wants, applied as far as they may be.

A model reads what others wrote, so its reply is not trusted: an operation reaches only facts that were shown, and its
sources are events of the batch. An operation without a source, a text or a target that it needs is rejected.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from heams.memory.base import MemoryEvent, RecalledItem
from heams.memory.facts.reply import FactOperation
from heams.memory.listening.times import latest
from heams.scenarios.clock import Instant
from heta_framework.common.text.normalise import normalise

LONGEST_FACT = 8_000
"""Characters; whatever is longer is no fact, but a model that repeats itself."""

_normalised = lru_cache(maxsize=16_384)(normalise)


@dataclass(frozen=True, slots=True)
class Revision:
    """What changes: facts that are new or different, and ids of facts that go.

    ``operations`` counts what was asked for, ``rejected`` what of it was left out.
    """

    kept: Sequence[RecalledItem]
    removed: Sequence[str]
    operations: int
    rejected: int


def revise(
    operations: Sequence[FactOperation],
    batch: Sequence[MemoryEvent],
    shown: Sequence[RecalledItem],
    known: Iterable[RecalledItem],
    *,
    next_number: int,
) -> Revision:
    """The changes that ``operations`` make to the ``known`` facts, each operation after the one before it.

    Facts that say the same in other spelling are one fact, which comes from the events of all. ``next_number``: of the
    first fact that is added.
    """
    draft = _Draft(batch, [item.id for item in shown], known, next_number)
    rejected = sum(not draft.apply(operation) for operation in operations)
    kept = [item for item in draft.changed.values() if item is not None]
    removed = [fact_id for fact_id, item in draft.changed.items() if item is None]
    return Revision(kept, removed, len(operations), rejected)


class _Draft:
    def __init__(
        self, batch: Sequence[MemoryEvent], shown: Sequence[str], known: Iterable[RecalledItem], next_number: int
    ) -> None:
        self.changed: dict[str, RecalledItem | None] = {}
        self._batch = batch
        self._shown = shown
        self._facts = {item.id: item for item in known}
        self._by_text = {_normalised(item.text): item.id for item in self._facts.values()}
        self._next_number = next_number

    def apply(self, operation: FactOperation) -> bool:
        """Apply one operation; False where it is rejected."""
        target = self._target(operation.target)
        if operation.action == "delete":
            return target is not None and self._remove(target)
        sources = self._sources(operation.sources)
        text = " ".join(operation.fact.split())
        if not sources or not _normalised(text) or len(text) > LONGEST_FACT:
            return False
        if operation.action == "add":
            return self._add(text, sources)
        return target is not None and self._update(target, text, sources)

    def _add(self, text: str, sources: Sequence[MemoryEvent]) -> bool:
        twin = self._by_text.get(_normalised(text))
        if twin is not None:
            return self._put(_supported(self._facts[twin], sources))
        fact_id, self._next_number = f"fact-{self._next_number}", self._next_number + 1
        return self._put(_supported(RecalledItem(id=fact_id, text=text, metadata={"kind": "fact"}), sources))

    def _update(self, target: RecalledItem, text: str, sources: Sequence[MemoryEvent]) -> bool:
        twin = self._by_text.get(_normalised(text), target.id)
        self._remove(target)
        if twin == target.id:
            return self._put(_supported(target.model_copy(update={"text": text}), sources))
        return self._put(_supported(_merged(self._facts[twin], target), sources))

    def _put(self, fact: RecalledItem) -> bool:
        self._facts[fact.id] = self.changed[fact.id] = fact
        self._by_text[_normalised(fact.text)] = fact.id
        return True

    def _remove(self, fact: RecalledItem) -> bool:
        del self._facts[fact.id]
        del self._by_text[_normalised(fact.text)]
        self.changed[fact.id] = None
        return True

    def _target(self, number: int | None) -> RecalledItem | None:
        """A fact that was shown and is still there."""
        if number is None or not 1 <= number <= len(self._shown):
            return None
        return self._facts.get(self._shown[number - 1])

    def _sources(self, numbers: Iterable[int]) -> list[MemoryEvent]:
        return [self._batch[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(self._batch)]


def _supported(fact: RecalledItem, sources: Sequence[MemoryEvent]) -> RecalledItem:
    """The fact with ``sources`` behind it too."""
    event_ids = [event_id for event in sources for event_id in event.provenance]
    return _with_origin(fact, event_ids, [event.at for event in sources], [event.principal for event in sources])


def _merged(fact: RecalledItem, other: RecalledItem) -> RecalledItem:
    """The fact with everything behind it that is behind ``other``."""
    return _with_origin(fact, other.event_ids, [other.at], _principals(other))


def _with_origin(
    fact: RecalledItem, event_ids: Iterable[str], times: Iterable[Instant | None], principals: Iterable[str]
) -> RecalledItem:
    everybody = list(dict.fromkeys([*_principals(fact), *principals]))
    return fact.model_copy(
        update={
            "event_ids": tuple(dict.fromkeys([*fact.event_ids, *event_ids])),
            "at": latest([fact.at, *times]),
            "metadata": {**fact.metadata, "principals": everybody},
        }
    )


def _principals(fact: RecalledItem) -> Sequence[str]:
    found = fact.metadata.get("principals")
    return [str(principal) for principal in found] if isinstance(found, list) else []

"""The difference between looks into a memory: which items came, which went, and which became others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from heams.memory.base import MemoryItem
from heams.scenarios.usage import UsageByRole
from heams.scenarios.whole_text import refuse_half_characters

_Key = str | tuple[str, int]
_FIELDS = ("text", "event_ids", "speaker", "at", "metadata")


@dataclass(frozen=True)
class Look:
    """What a memory held at one moment. ``items`` is None where it was not looked into, for a ``reason``.

    ``count`` may be known all the same.
    """

    items: Sequence[MemoryItem] | None
    count: int | None = None
    reason: str | None = None

    @cached_property
    def by_key(self) -> Mapping[_Key, MemoryItem]:
        """Items by id; those after the first of an id, which a memory should not have, by id and number.

        One look is compared twice, as the end of a step and as the beginning of the next one.
        """
        found: dict[_Key, MemoryItem] = {item.id: item for item in self.items or ()}
        if len(found) == len(self.items or ()):
            return found
        found, seen = {}, Counter[str]()
        for item in self.items or ():
            found[(item.id, seen[item.id]) if item.id in seen else item.id] = item
            seen[item.id] += 1
        return found


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item that is another than before under the same id. ``fields`` names what differs, such as ``text``."""

    before: MemoryItem
    after: MemoryItem
    fields: tuple[str, ...]


@dataclass(slots=True)
class MemoryChange:
    """What one action changed in the memory.

    ``removed`` and ``changed`` follow the order before the action, ``added`` the order after it; order itself is no
    change. What came and went within the action is in both. Where the memory was not looked into, all three are empty
    and ``reason`` says why; counts are None where they are unknown. ``seconds`` and ``usage`` are those of looking,
    which no other figure contains.
    """

    added: list[MemoryItem] = field(default_factory=list)
    removed: list[MemoryItem] = field(default_factory=list)
    changed: list[ItemChange] = field(default_factory=list)
    items_before: int | None = None
    items_after: int | None = None
    reason: str | None = None
    seconds: float = 0.0
    usage: UsageByRole = field(default_factory=dict)


def change_over(looks: Sequence[Look]) -> MemoryChange:
    """What happened over two or more looks, the first before the action and the last after it."""
    reason = next((look.reason for look in looks if look.reason is not None), None)
    change = MemoryChange(items_before=looks[0].count, items_after=looks[-1].count, reason=reason)
    if reason is None:
        for old, new in pairwise(look.by_key for look in looks):
            change.removed += [item for key, item in old.items() if key not in new]
            change.added += [item for key, item in new.items() if key not in old]
            change.changed += [
                ItemChange(item, other, fields)
                for key, item in old.items()
                if (other := new.get(key, item)) is not item and (fields := _differing(item, other))
            ]
    return change


def refuse_what_cannot_be_saved(change: MemoryChange) -> None:
    """Raises ValueError where an id or a text of an item holds half a character, which no artifact can."""
    both = (item for pair in change.changed for item in (pair.before, pair.after))
    for item in (*change.added, *change.removed, *both):
        for text in (item.id, item.text, *item.event_ids):
            refuse_half_characters(text)


def _differing(old: MemoryItem, new: MemoryItem) -> tuple[str, ...]:
    return tuple(name for name in _FIELDS if getattr(old, name) != getattr(new, name))

"""The items of one memory, in the order in which they were heard, shared between forks until one of them writes.

Every item has a key: the number of its hearing, in twelve digits. Keys go into the search indexes in place of event
ids. Their alphabetical order is the order of hearing, so an index that settles ties by id settles them by hearing; and
an event id may be any text, while an index refuses blank ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Self

from heams.memory.base import RecalledItem


class Hearing(NamedTuple):
    """A change by hearing: items under their new keys, keys of the items that they replace, and hearings in total."""

    added: Mapping[str, RecalledItem]
    replaced: Sequence[str]
    heard: int


class _State:
    """The items by key, the key of each item id, and the keys of the items behind each event id."""

    def __init__(self, items: Mapping[str, RecalledItem], heard: int) -> None:
        self.items = dict(items)
        self.heard = heard
        self.key_of = {item.id: key for key, item in self.items.items()}
        self._keys_behind: dict[str, list[str]] | None = None

    def copy(self) -> "_State":
        twin = _State.__new__(_State)
        twin.items, twin.key_of, twin.heard, twin._keys_behind = self.items.copy(), self.key_of.copy(), self.heard, None
        return twin

    def put(self, key: str, item: RecalledItem) -> None:
        self.items[key] = item
        self.key_of[item.id] = key
        self._keys_behind = None

    def drop(self, key: str) -> None:
        del self.key_of[self.items.pop(key).id]
        self._keys_behind = None

    def keys_behind(self) -> Mapping[str, Sequence[str]]:
        """Made when first asked for, once for all forks of the state."""
        if self._keys_behind is None:
            behind: dict[str, list[str]] = {}
            for key, item in self.items.items():
                for event_id in dict.fromkeys((item.id, *item.event_ids)):
                    behind.setdefault(event_id, []).append(key)
            self._keys_behind = behind
        return self._keys_behind


class ItemStore:
    """Items by key in order of hearing. An item id is held once: hearing it again replaces the item, as the latest.

    Forking costs nothing; the first write after a fork copies two dictionaries, on whichever side it happens.
    """

    def __init__(self, items: Mapping[str, RecalledItem] | None = None, *, heard: int = 0) -> None:
        """Start with ``items`` by ascending key; ``heard`` is the number of the last hearing."""
        self._state = _State(items or {}, heard)
        self._shared = False

    def __len__(self) -> int:
        return len(self._state.items)

    def __getitem__(self, key: str) -> RecalledItem:
        return self._state.items[key]

    @property
    def heard(self) -> int:
        """How many hearings there were, replaced and forgotten ones included."""
        return self._state.heard

    def by_key(self) -> Mapping[str, RecalledItem]:
        """All items by key in order of hearing; a live view, not to be changed."""
        return self._state.items

    def in_order(self) -> list[RecalledItem]:
        """All items in order of hearing."""
        return list(self._state.items.values())

    def keys_behind(self, event_ids: Iterable[str]) -> list[str]:
        """Keys of the items that are, or come from, these events: in the order of the ids, each key once."""
        behind = self._state.keys_behind()
        return list(dict.fromkeys(key for event_id in event_ids for key in behind.get(event_id, ())))

    def hearing(self, items: Sequence[RecalledItem]) -> Hearing:
        """What hearing these items in order would change; of several with one id only the last is kept."""
        last = {item.id: number for number, item in enumerate(items)}
        first_key = self.heard + 1
        return Hearing(
            added={_key(first_key + number): items[number] for number in sorted(last.values())},
            replaced=[self._state.key_of[item_id] for item_id in last if item_id in self._state.key_of],
            heard=self.heard + len(items),
        )

    def apply(self, hearing: Hearing) -> None:
        """Hear the items of a ``hearing`` that was worked out on the present state."""
        self.remove(hearing.replaced)
        state = self._own()
        for key, item in hearing.added.items():
            state.put(key, item)
        state.heard = hearing.heard

    def remove(self, keys: Iterable[str]) -> None:
        """Drop the items under these keys, all of which must be held."""
        state = self._own()
        for key in keys:
            state.drop(key)

    def fork(self) -> Self:
        """An independent store with the same items."""
        twin = self.__class__.__new__(self.__class__)
        twin._state = self._state
        twin._shared = self._shared = True
        return twin

    def _own(self) -> _State:
        if self._shared:
            self._state, self._shared = self._state.copy(), False
        return self._state


def _key(number: int) -> str:
    return f"{number:012d}"

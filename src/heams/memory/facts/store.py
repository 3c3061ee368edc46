"""The facts of one memory, found by words and by meaning."""

from collections.abc import Iterable, Sequence

from heams.memory.base import ForgetDemand, RecalledItem
from heams.memory.facts.revision import Revision
from heams.memory.forgetting import keys_to_forget
from heams.memory.indexed_memory import IndexedMemory


class FactStore(IndexedMemory):
    """Changed by a ``Revision`` at a time, never by hearing an event."""

    @property
    def next_number(self) -> int:
        """A number that no fact has had: every fact that is kept counts as one hearing."""
        return self._items.heard + 1

    def facts(self) -> Sequence[RecalledItem]:
        """All facts, the one that changed last at the end."""
        return self._items.in_order()

    def about(self, demand: ForgetDemand) -> Sequence[RecalledItem]:
        """The facts from the events that the demand names, or with its words (see ``heams.memory.forgetting``)."""
        return [self._items[key] for key in keys_to_forget(self._items, demand)]

    def related(self, texts: Iterable[str], most: int) -> Sequence[RecalledItem]:
        """The facts closest to any of the texts, in the order of ``facts``."""
        best: dict[str, int] = {}
        for text in texts:
            for place, (key, _) in enumerate(self._index.search(text, most)):
                best[key] = min(place, best.get(key, place))
        closest = sorted(best, key=lambda key: (best[key], key))[:most]
        return [self._items[key] for key in sorted(closest)]

    def apply(self, revision: Revision) -> None:
        """Change the facts."""
        self._drop(self._keys_of(revision.removed))
        self._keep(revision.kept)

    def remove(self, facts: Sequence[RecalledItem]) -> None:
        """Forget facts."""
        self._drop(self._keys_of(fact.id for fact in facts))

    def _keys_of(self, fact_ids: Iterable[str]) -> Sequence[str]:
        gone = set(fact_ids)
        return [key for key, item in self._items.by_key().items() if item.id in gone]

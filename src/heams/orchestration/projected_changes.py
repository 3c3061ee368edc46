"""What an action changed in the memory, as it is saved."""

from heams.memory.base import MemoryItem
from heams.orchestration.results import SavedItem, SavedItemChange, SavedMemoryChange
from heams.scenarios.memory_difference import ItemChange, MemoryChange
from heta_framework.common.durable_lines import TextBook


def saved_change(change: MemoryChange, texts: TextBook) -> SavedMemoryChange:
    """The change with texts of items in the text book."""
    return SavedMemoryChange(
        added=tuple(_item(item, texts) for item in change.added) or None,
        removed=tuple(_item(item, texts) for item in change.removed) or None,
        changed=tuple(_pair(pair, texts) for pair in change.changed) or None,
        items_before=change.items_before,
        items_after=change.items_after,
        reason=change.reason,
        seconds=change.seconds,
        usage=change.usage or None,
    )


def _item(item: MemoryItem, texts: TextBook) -> SavedItem:
    return SavedItem(id=item.id, text=texts.id_of(item.text), event_ids=_event_ids(item))


def _pair(pair: ItemChange, texts: TextBook) -> SavedItemChange:
    return SavedItemChange(
        id=pair.after.id,
        before=texts.id_of(pair.before.text),
        after=texts.id_of(pair.after.text),
        fields=pair.fields,
        event_ids=_event_ids(pair.after),
    )


def _event_ids(item: MemoryItem) -> tuple[str, ...] | None:
    return None if item.event_ids == (item.id,) else tuple(item.event_ids)

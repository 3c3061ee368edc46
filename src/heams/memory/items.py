"""Events as remembered items: what an item keeps of its event, and by which text it is found."""

from heams.memory.base import MemoryEvent, MemoryItem, RecalledItem


def remembered(event: MemoryEvent) -> RecalledItem:
    """The item that stands for an event: its content word for word, and who said it to whom when as fields.

    ``metadata`` is the event's own plus ``kind``, ``role``, ``principal`` and, where known, ``session_id``.
    """
    origin = {"kind": event.kind, "role": event.role, "principal": event.principal}
    if event.session_id is not None:
        origin["session_id"] = event.session_id
    return RecalledItem(
        id=event.id,
        text=event.content,
        event_ids=event.provenance,
        speaker=event.speaker,
        at=event.at,
        metadata={**event.metadata, **origin},
    )


def searchable_text(item: MemoryItem) -> str:
    """The text by which an item is found: a turn as ``speaker: text``, because questions name people."""
    if item.metadata.get("kind") == "turn" and item.speaker:
        return f"{item.speaker}: {item.text}"
    return item.text


def with_score(item: RecalledItem, score: float) -> RecalledItem:
    """The item as an answer to a query. The copy is shallow: it is made ten times a question."""
    return item.model_copy(update={"score": score})


def without_score(item: RecalledItem) -> MemoryItem:
    """The item as content of the memory, which answers no query."""
    return MemoryItem.model_construct(**{name: getattr(item, name) for name in MemoryItem.model_fields})

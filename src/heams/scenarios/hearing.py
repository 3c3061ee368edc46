"""How actions look to agent and memory: as plain events, without markers and labels."""

from heams.memory.base import MemoryEvent
from heams.scenarios.actions import DocumentIngestion, Turn
from heams.scenarios.clock import Instant


def turn_event(turn: Turn, now: Instant | None) -> MemoryEvent:
    """A turn as the memory hears it; its time is its own, or the clock's."""
    return MemoryEvent(
        id=turn.id,
        content=turn.content,
        speaker=turn.speaker,
        role=turn.role,
        principal=turn.speaker,
        at=turn.at or now,
        session_id=turn.session_id,
        metadata=turn.metadata,
    )


def document_event(document: DocumentIngestion, principal: str, now: Instant | None) -> MemoryEvent:
    """A document as the memory hears it, its title on the first line."""
    content = f"{document.title}\n\n{document.content}" if document.title else document.content
    return MemoryEvent(
        id=document.id,
        content=content,
        kind="document",
        speaker=principal,
        principal=principal,
        at=document.at or now,
        metadata={"media_type": document.media_type, **document.metadata},
    )

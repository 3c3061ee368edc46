"""How chats and questions are put before memory and agent: as events and prompts, without any label or hint."""

from collections.abc import Iterator

from heams.benchmarks.beam.records import Chat
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn


def history_of(chat: Chat, name: str) -> SharedHistory:
    """All messages of a chat, batch by batch at its date."""
    return SharedHistory(id=name, events=tuple(_events(chat)))


def _events(chat: Chat) -> Iterator[HistoryEvent]:
    for batch in chat.batches:
        yield SessionBoundary(session_id=batch.id, at=batch.at)
        for message in batch.messages:
            yield Turn(
                id=message.id,
                content=message.text,
                speaker=message.role,
                role=message.role,
                at=batch.at,
                session_id=batch.id,
            )

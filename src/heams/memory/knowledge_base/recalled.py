"""Chunks and graph facts as remembered items: what each says, and which events it came from.

An event that fits into one chunk is one item under its own id, word for word. Of longer documents every chunk is an
item under the chunk's id. A fact of the graph is an item that carries the events behind all of its evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import JsonValue

from heams.memory.base import RecalledItem
from heams.memory.items import with_score
from heams.memory.knowledge_base.documents import HeardDocument
from heams.memory.knowledge_base.facts import GraphFact
from heta_framework.kb.chunks import Chunk


def chunk_item(chunk: Chunk, document: HeardDocument, score: float | None = None) -> RecalledItem:
    """The item that stands for a chunk of a document."""
    whole = document.whole_event(chunk.char_start, chunk.char_end)
    if whole is not None:
        return whole if score is None else with_score(whole, score)
    events = document.events_between(chunk.char_start, chunk.char_end)
    return RecalledItem(
        id=chunk.chunk_id,
        text=_spoken(chunk, document, events),
        event_ids=_behind(events),
        speaker=_common(event.speaker for event in events),
        at=next((event.at for event in events if event.at is not None), None),
        metadata={**_shared_metadata(events), "part": chunk.chunk_index},
        score=score,
    )


def fact_item(fact: GraphFact, events: Iterable[RecalledItem], score: float | None = None) -> RecalledItem:
    """The item that stands for a fact of the graph; ``events`` are those behind its evidence."""
    behind = list(events)
    return RecalledItem(
        id=fact.id,
        text=fact.text,
        event_ids=_behind(behind),
        at=max((event.at for event in behind if event.at is not None), default=None),
        metadata={"kind": fact.kind},
        score=score,
    )


def quoting(item: RecalledItem, passages: Sequence[str]) -> RecalledItem:
    """The item with the passages that it rests on, so that who recalls it reads what it counts as found."""
    return item.model_copy(update={"text": "\n".join((item.text, *passages))})


def _spoken(chunk: Chunk, document: HeardDocument, events: list[RecalledItem]) -> str:
    """The chunk's text; without the speaker in front where the item names him."""
    first = document.passages[0]
    prefix = f"{first.event.speaker}: "
    alone = len(document.passages) == 1 and chunk.text.startswith(prefix) and chunk.char_start == 0
    return chunk.text.removeprefix(prefix) if alone and events else chunk.text


def _behind(events: Iterable[RecalledItem]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event_id for event in events for event_id in event.event_ids))


def _common(values: Iterable[Any]) -> Any:
    """The value that all have; None where they differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def _shared_metadata(events: list[RecalledItem]) -> dict[str, JsonValue]:
    """What all of the events say of themselves alike."""
    if not events:
        return {}
    first, *others = (event.metadata for event in events)
    return {
        name: value for name, value in first.items() if all(name in other and other[name] == value for other in others)
    }

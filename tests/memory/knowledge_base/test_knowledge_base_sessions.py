"""A session as one document: its chunks lead back to the events that stand in them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from heams.memory.base import MemoryEvent, RecallQuery
from heams.memory.items import remembered
from heams.memory.knowledge_base.documents import documents_of

pytestmark = pytest.mark.anyio


def _turn(number: int, content: str, session: str | None = "s1", speaker: str = "Maya") -> MemoryEvent:
    at = datetime(2023, 5, number, tzinfo=UTC)
    return MemoryEvent(id=f"D:{number}", content=content, speaker=speaker, session_id=session, at=at)


async def test_a_short_session_is_one_item_with_all_its_events(open_memory: Any) -> None:
    memory = await open_memory("words", {}, document="session")
    await memory.write_all([_turn(1, "A kitten came."), _turn(2, "What is its name?", speaker="Bob")])
    await memory.write_all([_turn(3, "A heron came.", session="s2"), _turn(4, "Pepper.")])
    first, second = await memory.dump()
    assert first.text == "Maya: A kitten came.\nBob: What is its name?\nMaya: Pepper."
    assert first.event_ids == ("D:1", "D:2", "D:4")
    assert (first.speaker, first.at) == (None, datetime(2023, 5, 1, tzinfo=UTC))
    assert (first.metadata["session_id"], first.metadata["kind"]) == ("s1", "turn")
    assert (second.id, second.text, second.event_ids) == ("D:3", "A heron came.", ("D:3",))


async def test_a_chunk_of_a_long_session_carries_the_events_that_stand_in_it(open_memory: Any) -> None:
    memory = await open_memory("files", {}, document="session")
    topics = ["otters", "herons", "violins", "tomatoes", "kittens", "lanterns"]
    turns = [_turn(n, f"We talked about {topic} " + "and so on " * 10) for n, topic in enumerate(topics, start=1)]
    await memory.write_all(turns)
    chunks = await memory.dump()
    assert len(chunks) > 2
    for number, topic in enumerate(topics, start=1):
        holding = [chunk for chunk in chunks if topic in chunk.text]
        assert holding
        assert all(f"D:{number}" in chunk.event_ids for chunk in holding)
    found = (await memory.recall(RecallQuery(text="lanterns", limit=1)))[0]
    assert "D:6" in found.event_ids
    assert "D:1" not in found.event_ids


def test_documents_know_where_their_events_stand() -> None:
    events = [remembered(event) for event in (_turn(1, "One."), _turn(2, "Two \ud800."), _turn(3, "Three.", None))]
    session, alone = documents_of(events, "session").values()
    assert [session.text[p.start : p.end] for p in session.passages] == ["Maya: One.", "Maya: Two \ufffd."]
    assert [event.id for event in session.events_between(0, 3)] == ["D:1"]
    assert [event.id for event in session.events_between(9, 12)] == ["D:1", "D:2"]
    assert session.events_between(10, 11) == []  # the break between the two
    assert alone.whole_event(0, len(alone.text)) is events[2]
    assert alone.whole_event(0, 3) is None
    assert session.whole_event(0, len(session.text)) is None


def test_documents_of_different_things_never_share_an_id() -> None:
    names = ["a", " a", "a ", "", " ", "\ud800", "session:s1", "event:a", "a\n"]
    events = [remembered(MemoryEvent(id=name, content="x")) for name in names]
    for unit in ("event", "session"):
        documents = documents_of([*events, remembered(_turn(1, "x"))], unit)
        assert len(documents) == len(names) + 1
        assert len({document.file_name for document in documents.values()}) == len(documents)
        assert all(name == name.strip() and name for name in documents)


@pytest.mark.parametrize("unit", ["event", "session"])
def test_documents_are_made_again_only_where_their_events_changed(unit: Any) -> None:
    heard = [remembered(_turn(number, f"words {number}", f"s{number}")) for number in range(1, 4)]
    known = documents_of(heard, unit)
    changed = remembered(_turn(2, "other words", "s2"))
    after = documents_of([heard[0], heard[2], changed], unit, known)
    assert after == documents_of([heard[0], heard[2], changed], unit)
    assert [document is known[document_id] for document_id, document in after.items()] == [True, True, False]

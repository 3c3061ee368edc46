"""What waits to be read: in batches of one session within events and tokens, too long events in parts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heams.memory.base import MemoryEvent
from heams.memory.listening.pending import BatchLimits, PendingEvents
from heams.memory.listening.pieces import in_pieces
from heta_framework.common.text.tokens import count_tokens

LONG = "Word after word. " * 100


def event(event_id: str, content: str = "A kitten.", **fields: Any) -> MemoryEvent:
    return MemoryEvent(id=event_id, content=content, **fields)


def ids(events: tuple[MemoryEvent, ...]) -> list[str]:
    return [each.id for each in events]


@given(st.text(), st.integers(1, 40))
def test_pieces_are_the_text_again_and_within_the_limit(text: str, limit: int) -> None:
    pieces = in_pieces(text, limit)
    assert pieces
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.tokens <= limit or len(piece.text) == 1 for piece in pieces)
    assert [piece.tokens for piece in pieces] == [count_tokens(piece.text) for piece in pieces]


def test_a_text_is_cut_where_a_paragraph_or_a_sentence_ends() -> None:
    first, second = "One two three four five. " * 3, "Six seven. " * 6
    assert in_pieces(f"{first}\n\n{second}", 30)[0].text == f"{first}\n\n"
    assert all(piece.text.endswith(". ") for piece in in_pieces(LONG, 30))


def test_a_batch_ends_where_the_next_event_would_be_too_much() -> None:
    pending = PendingEvents(BatchLimits(events=10, tokens=100))
    pending.add([event("a", "word " * 60), event("b", "word " * 30), event("c", "word " * 30)])
    assert ids(pending.whole_batch()) == ["a", "b"]
    pending.drop(2)
    assert ids(pending.batch()) == ["c"]
    assert pending.whole_batch() == ()


def test_a_batch_is_of_one_session() -> None:
    pending = PendingEvents(BatchLimits(events=10, tokens=100))
    pending.add([event("a"), event("b"), event("c", session_id="s1"), event("d")])
    assert ids(pending.whole_batch()) == ["a", "b"]
    pending.drop(2)
    assert ids(pending.whole_batch()) == ["c"]


def test_parts_come_from_their_event_and_never_share_a_batch_beyond_the_limit() -> None:
    pending = PendingEvents(BatchLimits(events=10, tokens=100))
    pending.add([event("huge", LONG, principal="Maya", session_id="s1"), event("note", LONG, sources=("t1", "t2"))])
    heard: list[MemoryEvent] = []
    while batch := pending.batch():
        assert sum(count_tokens(part.content) for part in batch) <= 100
        heard += batch
        pending.drop(len(batch))
    of_event = [part for part in heard if part.provenance == ("huge",)]
    of_note = [part for part in heard if part.provenance == ("t1", "t2")]
    assert len(heard) == len(of_event) + len(of_note) == len(set(ids(tuple(heard))))
    assert "".join(part.content for part in of_event) == "".join(part.content for part in of_note) == LONG
    assert {(part.principal, part.session_id) for part in of_event} == {("Maya", "s1")}


def test_an_event_in_parts_that_is_heard_again_counts_as_heard_now() -> None:
    pending = PendingEvents(BatchLimits(events=1_000, tokens=100))
    pending.add([event("huge", LONG), event("a")])
    before = len(pending)
    pending.add([event("huge", LONG[:600])])
    assert 2 < len(pending) < before
    heard = []
    while batch := pending.batch():
        heard += batch
        pending.drop(len(batch))
    assert heard[0].id == "a"
    assert "".join(part.content for part in heard[1:]) == LONG[:600]

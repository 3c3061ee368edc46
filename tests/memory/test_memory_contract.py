"""What every in-process memory system promises, whatever it recalls by."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from heams.memory.base import MemoryEvent, RecallQuery, UnsupportedOperation

pytestmark = pytest.mark.anyio

MADRID = timezone(timedelta(hours=1))


def _ids(items: Sequence[Any]) -> list[str]:
    return [item.id for item in items]


async def test_what_was_heard_is_recalled_word_for_word_with_its_origin(remembering: Any) -> None:
    memory = await remembering.open({})
    content, at = "I adopted a grey kitten.", datetime(2023, 5, 8, 13, 56, tzinfo=MADRID)
    origin = {"speaker": "Maya", "principal": "Maya", "session_id": "session_1", "metadata": {"mood": "glad"}}
    await memory.write(MemoryEvent(id="D1:1", content=content, at=at, **origin))
    (item,) = await remembering.ask(memory, "Who adopted a kitten?", gold=["D1:1"])
    assert (item.id, item.text, item.event_ids) == ("D1:1", content, ("D1:1",))
    assert (item.speaker, item.at) == ("Maya", at)
    kept = {"kind": "turn", "role": "user", "principal": "Maya", "session_id": "session_1"}
    assert item.metadata == {"mood": "glad", **kept}


async def test_a_note_leads_back_to_the_events_it_was_made_from(remembering: Any) -> None:
    memory = await remembering.open({})
    await memory.write(MemoryEvent(id="note-1", content="Maya has a kitten", kind="note", sources=("D1:1", "D1:7")))
    (item,) = await remembering.ask(memory, "kitten", gold=["D1:7"])
    assert (item.id, item.event_ids) == ("note-1", ("D1:1", "D1:7"))


async def test_no_memory_remembers_nothing(subjects: Any) -> None:
    memory = await subjects["no_memory"].open()
    await memory.write(MemoryEvent(id="x", content="a kitten"))
    assert list(await memory.recall(RecallQuery(text="kitten"))) == []
    assert list(await memory.dump()) == []


async def test_only_the_oracle_takes_evidence(any_system: Any) -> None:
    memory = await any_system.open()
    assert any_system.make().capabilities.needs_gold is (any_system.name == "oracle")
    if any_system.name == "oracle":
        await memory.reveal_gold(["D1:1"])
    else:
        with pytest.raises(UnsupportedOperation):
            await memory.reveal_gold(["D1:1"])


def test_capabilities_say_what_the_memory_does(any_system: Any) -> None:
    capabilities = any_system.make().capabilities
    assert capabilities.fork
    assert capabilities.forget
    assert capabilities.dump
    assert capabilities.persist
    assert not capabilities.clock
    assert capabilities.ranked is (any_system.name != "full_context")
    assert capabilities.bound is (any_system.name in {"no_memory", "full_context", "oracle"})


async def test_a_limit_is_kept(remembering: Any) -> None:
    gold = [f"{n}" for n in range(8)]
    memory = await remembering.open({event_id: f"violin lesson {event_id}" for event_id in gold})
    for limit, expected in ((3, 3), (50, 8), (None, 8)):
        assert len(await remembering.ask(memory, "violin lesson", gold=gold, limit=limit)) == expected


async def test_equal_scores_come_in_order_of_hearing(searching: Any) -> None:
    heard = [f"id-{n}" for n in (7, 3, 9, 1, 12, 5)]
    memory = await searching.open(dict.fromkeys(heard, "the violin is being repaired"))
    assert _ids(await searching.ask(memory, "violin repaired")) == heard
    assert _ids(await searching.ask(memory, "violin repaired", limit=3)) == heard[:3]


async def test_scores_fall_with_the_rank(searching: Any) -> None:
    memory = await searching.open()
    scores = [item.score for item in await searching.ask(memory, "Who repairs a violin in Lisbon on the balcony?")]
    assert len(scores) >= 2
    assert None not in scores
    assert scores == sorted(scores, reverse=True)


async def test_a_recall_leaves_no_score_in_the_memory(searching: Any) -> None:
    memory = await searching.open()
    first = await searching.ask(memory, "violins in Lisbon")
    await searching.ask(memory, "tomatoes")
    assert await searching.ask(memory, "violins in Lisbon") == first
    assert not any("score" in item.model_dump() for item in await memory.dump())


async def test_an_event_heard_again_replaces_the_older_one_as_the_latest(remembering: Any) -> None:
    memory = await remembering.open()
    await memory.write(MemoryEvent(id="D1:1", content="The kitten is called Pepper.", speaker="Maya"))
    dump = await memory.dump()
    assert _ids(dump) == ["D1:2", "D1:3", "D1:1"]
    assert dump[-1].text == "The kitten is called Pepper."
    assert "shelter" not in str(await remembering.ask(memory, "shelter Pepper", gold=["D1:1"]))


async def test_of_two_events_with_one_id_in_a_batch_the_later_is_kept(remembering: Any) -> None:
    memory = await remembering.open({})
    await memory.write_all(
        [MemoryEvent(id=event_id, content=text) for event_id, text in (("x", "old"), ("y", "middle"), ("x", "new"))]
    )
    assert [(item.id, item.text) for item in await memory.dump()] == [("y", "middle"), ("x", "new")]


@pytest.mark.parametrize("count", [5, 300])
async def test_hearing_in_bulk_is_hearing_one_by_one(remembering: Any, count: int) -> None:
    events = [MemoryEvent(id=f"{n % 290}", content=f"violin number {n % 7} of {n % 11}") for n in range(count)]
    bulk, single = await remembering.open({}), await remembering.open({})
    await bulk.write_all(events)
    for event in events:
        await single.write(event)
    assert await bulk.dump() == await single.dump()
    for text in ("violin 3 of 5", "number 6"):
        found = await remembering.ask(bulk, text, gold=["3", "0"], limit=9)
        assert found
        assert found == await remembering.ask(single, text, gold=["3", "0"], limit=9)


async def test_full_context_recalls_everything_in_order_and_the_latest_under_a_limit(subjects: Any, said: Any) -> None:
    full_context = subjects["full_context"]
    memory = await full_context.open()
    items = await full_context.ask(memory, "balcony")
    assert _ids(items) == list(said)
    assert {item.score for item in items} == {None}
    assert _ids(await full_context.ask(memory, "balcony", limit=2)) == ["D1:2", "D1:3"]


async def test_the_oracle_recalls_the_evidence_in_order_and_only_what_it_heard(subjects: Any) -> None:
    oracle = subjects["oracle"]
    memory = await oracle.open()
    assert _ids(await memory.recall(RecallQuery(text="nothing was revealed"))) == []
    await memory.write(MemoryEvent(id="note", content="Two facts", kind="note", sources=("D1:3", "D1:1")))
    expected = ["D1:3", "note", "D1:1"]
    assert _ids(await oracle.ask(memory, "tomatoes", gold=["D1:3", "D7:7", "D1:1", "D1:3"])) == expected
    assert _ids(await memory.recall(RecallQuery(text="the same question again"))) == expected
    assert _ids(await (await memory.fork()).recall(RecallQuery(text="on a fork"))) == expected
    assert _ids(await oracle.ask(memory, "tomatoes", gold=[])) == []

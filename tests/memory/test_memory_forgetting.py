"""What a demand to forget removes: named events and what was made from them, else only what is quoted word for word."""

from __future__ import annotations

from typing import Any

import pytest

from heams.memory.base import ForgetDemand, MemoryEvent
from heams.memory.forgetting import keys_to_forget
from heams.memory.item_store import ItemStore
from heams.memory.items import remembered

SAID = {
    "kitten": "I adopted a grey kitten, called Pepper!",
    "annual": "The annual meeting is in June.",
    "ann": "Ann moved to Zürich last year.",
    "hello": 'She said "hello" and left.',
    "greeting": "Hello, how are you?",
    "zh": "我在东京学习小提琴",
    "pounds": "It cost 314 pounds.",
    "big": "Das große Haus",
}


def _forgotten(content: str, *event_ids: str) -> list[str]:
    store = ItemStore()
    store.apply(store.hearing([remembered(MemoryEvent(id=key, content=text)) for key, text in SAID.items()]))
    return [store[key].id for key in keys_to_forget(store, ForgetDemand(content=content, event_ids=event_ids))]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("I adopted a grey kitten, called Pepper!", ["kitten"]),
        ("  i ADOPTED a grey\nkitten ", ["kitten"]),
        ("grey kitten", ["kitten"]),
        ("kitten grey", []),
        ("Ann", ["ann"]),
        ("Zu\u0308rich", ["ann"]),
        ("ZÜRICH", ["ann"]),
        ("GROSSE", ["big"]),
        ("東京", []),
        ("东京学习", ["zh"]),
        ("314", ["pounds"]),
        ("3.14", []),
        ("Please forget that I adopted a kitten", []),
        ("", []),
        ("?!", []),
    ],
)
def test_content_is_found_by_whole_words_in_sequence(content: str, expected: list[str]) -> None:
    assert _forgotten(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('Please forget "grey kitten".', ["kitten"]),
        ("Forget “Ann” and «annual meeting», please", ["annual", "ann"]),
        ('Vergiss „Zürich“, and "nothing known"', ["ann"]),
        ('Forget ""', []),
        ('Forget " " and "unclosed', []),
        ("Don't forget Ann's birthday", []),
        ('She said "hello" and left.', ["hello"]),
    ],
)
def test_quoted_passages_count_only_where_the_whole_content_is_not_found(content: str, expected: list[str]) -> None:
    assert _forgotten(content) == expected


def test_named_events_decide_alone() -> None:
    assert _forgotten("Forget Ann", "zh", "kitten", "never heard") == ["kitten", "zh"]
    assert _forgotten("Ann", "never heard") == []


@pytest.mark.anyio
async def test_what_is_forgotten_is_gone_and_named_in_the_receipt(remembering: Any) -> None:
    memory = await remembering.open()
    await memory.write(MemoryEvent(id="note", content="A violin maker in the family", sources=("D1:2",)))
    receipt = await memory.forget(ForgetDemand(content="the violins", event_ids=("D1:2", "never heard")))
    assert receipt.removed == ("D1:2", "note")
    assert receipt.note == "2 items from the named events removed"
    assert [item.id for item in await memory.dump()] == ["D1:1", "D1:3"]
    found = await remembering.ask(memory, "violins in Lisbon", gold=["D1:2", "D1:3"])
    assert not {"D1:2", "note"} & {item.id for item in found}


@pytest.mark.anyio
async def test_a_note_can_be_forgotten_by_its_own_id(remembering: Any) -> None:
    memory = await remembering.open()
    await memory.write(MemoryEvent(id="note", content="A violin maker in the family", sources=("D1:2",)))
    assert (await memory.forget(ForgetDemand(content="", event_ids=("note",)))).removed == ("note",)
    assert [item.id for item in await memory.dump()] == ["D1:1", "D1:2", "D1:3"]


@pytest.mark.anyio
async def test_a_demand_in_words_is_answered_by_every_memory(remembering: Any) -> None:
    memory = await remembering.open()
    receipt = await memory.forget(ForgetDemand(content='Forget about the "grey kitten", please'))
    assert (receipt.removed, receipt.note) == (("D1:1",), "1 item with these words removed")
    assert (await memory.forget(ForgetDemand(content="grey kitten"))).removed == ()


@pytest.mark.anyio
async def test_what_was_forgotten_can_be_heard_again(remembering: Any) -> None:
    memory = await remembering.open()
    await memory.forget(ForgetDemand(content="", event_ids=("D1:2",)))
    await memory.write(MemoryEvent(id="D1:2", content="I sold the violin."))
    found = await remembering.ask(memory, "violin", gold=["D1:2"])
    assert found[-1 if remembering.name == "full_context" else 0].text == "I sold the violin."

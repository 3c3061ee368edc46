"""Memories take any text as content, query and id, and nothing at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heams.memory.base import ForgetDemand, MemoryEvent

pytestmark = pytest.mark.anyio

HOSTILE = [
    "",
    " ",
    '"never closed',
    "kitten AND (OR NOT",
    "text:kitten^2~",
    "a/b\\c*",
    "\ud800",
    "🐈",
    "\0",
    "kit\nten",
]


async def test_an_empty_memory_recalls_shows_and_forgets_nothing(any_system: Any, tmp_path: Path) -> None:
    memory = await any_system.open({})
    assert list(await any_system.ask(memory, "kitten", gold=["D1:1"])) == []
    assert list(await memory.dump()) == []
    assert (await memory.forget(ForgetDemand(content="kitten", event_ids=("D1:1",)))).removed == ()
    await memory.persist(tmp_path)
    await memory.restore(tmp_path)
    assert list(await any_system.ask(await memory.fork(), "kitten")) == []
    assert await memory.usage() == {}
    await memory.close()


@pytest.mark.parametrize("query", HOSTILE)
async def test_no_query_is_a_syntax_error(any_system: Any, said: dict[str, str], query: str) -> None:
    memory = await any_system.open()
    assert {item.id for item in await any_system.ask(memory, query, gold=["D1:1"], limit=10)} <= said.keys()


async def test_operators_in_a_query_are_plain_words(subjects: Any) -> None:
    lexical = subjects["lexical"]
    memory = await lexical.open()
    for query in ('"kitten adopted" -grey', "kitten AND zeppelin", "+zeppelin kitten"):
        assert [item.id for item in await lexical.ask(memory, query)] == ["D1:1"]


async def test_unicode_is_kept_and_found(remembering: Any) -> None:
    said = {"ru": "Мы посадили помидоры", "zh": "我在东京学习小提琴", "de": "Straße und Café", "🐈": "lone \ud800 half"}
    memory = await remembering.open(said)
    assert {item.id: item.text for item in await memory.dump()} == said
    for event_id, text in (("ru", "помидоры"), ("zh", "小提琴"), ("de", "CAFE\u0301")):
        found = [item.id for item in await remembering.ask(memory, text, gold=[event_id])]
        assert event_id in found
        assert event_id == found[0] or remembering.name == "full_context"


@pytest.mark.parametrize(
    "event_id", ["", " ", "../../etc", "a/b", "\ud800", "000000000001", "x" * 10_000], ids=lambda event_id: event_id[:9]
)
async def test_any_text_is_an_id(remembering: Any, event_id: str, tmp_path: Path) -> None:
    memory = await remembering.open()
    await memory.write(MemoryEvent(id=event_id, content="A kitten again"))
    assert event_id in [item.id for item in await remembering.ask(memory, "kitten", gold=[event_id])]
    await memory.persist(tmp_path)
    await memory.restore(tmp_path)
    receipt = await memory.forget(ForgetDemand(content="", event_ids=(event_id,)))
    assert receipt.removed == (event_id,)


async def test_texts_without_words_are_kept(remembering: Any) -> None:
    memory = await remembering.open({"empty": "", "blank": " ", "dots": "..."})
    await memory.write(MemoryEvent(id="note", content="", kind="note"))
    assert [item.id for item in await memory.dump()] == ["empty", "blank", "dots", "note"]
    await remembering.ask(memory, "anything")
    assert (await memory.forget(ForgetDemand(content="", event_ids=("note",)))).removed == ("note",)


async def test_a_text_of_a_megabyte_is_heard_found_and_asked(remembering: Any, tmp_path: Path) -> None:
    memory = await remembering.open()
    large = "the tomatoes grow slowly, " * 40_000 + "and the zeppelin landed"
    await memory.write(MemoryEvent(id="large", content=large))
    for query in ("Where did the zeppelin land among tomatoes?", large):
        assert "large" in [item.id for item in await remembering.ask(memory, query, gold=["large"])]
    await memory.persist(tmp_path)
    await memory.restore(tmp_path)
    assert (await memory.dump())[-1].text == large
    assert (await memory.forget(ForgetDemand(content="the zeppelin landed"))).removed == ("large",)

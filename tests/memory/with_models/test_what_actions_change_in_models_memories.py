"""Looking into a memory that reads in batches shows what is read, and never makes it read."""

from __future__ import annotations

from typing import Any

import pytest

from heams.memory.base import MemoryEvent
from heams.scenarios.actions import ForgetRequest, MemoryInspection, Turn, UserStimulus

pytestmark = pytest.mark.anyio
_KITTEN, _VIOLINS = "I adopted a grey kitten from the shelter.", "My brother repairs old violins in Lisbon."
_TOLD = [Turn(id="D1:1", content=_KITTEN, speaker="Maya"), Turn(id="D1:2", content=_VIOLINS, speaker="Maya")]


def _words(items: Any) -> str:
    return "\n".join(item.text for item in items)


async def test_what_waits_comes_with_the_question_that_has_it_read(listener: Any, changes_of: Any) -> None:
    memory = await listener.open()
    ask = UserStimulus(content="What was adopted?")
    changes = await changes_of(memory, [*_TOLD, ask, ask, MemoryInspection()])
    assert [(change.items_before, change.items_after) for change in changes[:2]] == [(0, 0), (0, 0)]
    assert "kitten" in _words(changes[2].added)
    assert "violins" in _words(changes[2].added)
    assert changes[2].items_after == len(await memory.dump())
    assert changes[3:] == [None, None]


async def test_looking_costs_no_call(listener: Any, changes_of: Any) -> None:
    memory = await listener.open()
    changes = await changes_of(memory, _TOLD)
    assert listener.calls() == 0
    assert [change.usage for change in changes] == [{}, {}]
    watched = await listener.open()
    await changes_of(watched, [*_TOLD, UserStimulus(content="What was adopted?")])
    calls_watched = listener.calls()
    plain = await listener.open([MemoryEvent(id=turn.id, content=turn.content, speaker="Maya") for turn in _TOLD])
    await plain.dump()
    assert listener.calls() == 2 * calls_watched


async def test_what_is_forgotten_went_whether_it_was_read_before_or_not(listener: Any, changes_of: Any) -> None:
    forget = ForgetRequest(content="I adopted a grey kitten", event_ids=("D1:1",))
    for between in ([], [UserStimulus(content="What was adopted?")]):
        memory = await listener.open()
        forgot = (await changes_of(memory, [*_TOLD, *between, forget]))[-1]
        gone = _words([*forgot.removed, *(pair.before for pair in forgot.changed)])
        assert "kitten" in gone
        assert "kitten" not in _words(pair.after for pair in forgot.changed)
        assert forgot.items_after == len(await memory.dump())

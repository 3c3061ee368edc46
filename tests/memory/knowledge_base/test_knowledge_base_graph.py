"""Facts of a graph as remembered items: they carry the events behind all of their evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from heams.memory.base import ForgetDemand, MemoryEvent, RecallQuery

pytestmark = pytest.mark.anyio

SAID = {
    "D1": "Captain Rowan sailed to Lisbon.",
    "D2": "Captain Rowan bought a violin in Lisbon.",
    "D3": "Doctor Quill planted tomatoes.",
}


def _fact(items: Any, beginning: str) -> Any:
    (found,) = [item for item in items if item.text.startswith(beginning)]
    return found


async def _opened(open_memory: Any, **settings: Any) -> Any:
    memory = await open_memory("graph", {}, **settings)
    for day, (event_id, content) in enumerate(SAID.items(), start=1):
        at = datetime(2024, 5, day, tzinfo=UTC)
        await memory.write(MemoryEvent(id=event_id, content=content, kind="note", at=at, session_id=f"s{day // 2}"))
    return memory


async def test_a_fact_carries_the_events_behind_all_of_its_evidence(open_memory: Any) -> None:
    items = await (await _opened(open_memory)).dump()
    assert [item.id for item in items[:3]] == ["D1", "D2", "D3"]
    captain = _fact(items, "Entity: Captain Rowan\n")
    assert captain.event_ids == ("D1", "D2")
    assert (captain.at, captain.metadata) == (datetime(2024, 5, 2, tzinfo=UTC), {"kind": "entity"})
    relations = [item for item in items if item.metadata["kind"] == "relation"]
    assert {"D1", "D2", "D3"} == {event_id for item in relations for event_id in item.event_ids}
    assert len({item.id for item in items}) == len(items)


@pytest.mark.parametrize("passages", [1, 2])
async def test_a_recalled_fact_quotes_what_it_counts_as_found(open_memory: Any, passages: int) -> None:
    options = {"query_options": {"evidence_top_k": passages}} if passages > 1 else {}
    memory = await _opened(open_memory, mode="heta_graph_search", **options)
    held = {item.id: item for item in await memory.dump()}
    found = await memory.recall(RecallQuery(text="Where did Captain Rowan sail?", limit=4))
    assert max(len(item.event_ids) for item in found) == passages
    for item in found:
        quoted = [SAID[event_id] for event_id in item.event_ids]
        assert item.text == "\n".join((held[item.id].text, *quoted))
        assert set(item.event_ids) <= set(held[item.id].event_ids)


async def test_a_fact_goes_with_the_last_event_that_states_it(open_memory: Any) -> None:
    memory = await _opened(open_memory)
    first = await memory.forget(ForgetDemand(content="", event_ids=("D1",)))
    assert "D1" in first.removed
    assert _fact(await memory.dump(), "Entity: Captain Rowan\n").event_ids == ("D2",)
    second = await memory.forget(ForgetDemand(content="", event_ids=("D2",)))
    left = await memory.dump()
    assert "Rowan" not in str(left)
    assert "Lisbon" not in str(left)
    assert "Quill" in str(left)
    assert len(second.removed) > 2


async def test_evidence_in_a_session_is_the_events_that_stand_there(open_memory: Any) -> None:
    memory = await _opened(open_memory, document="session")
    items = await memory.dump()
    assert _fact(items, "Entity: Captain Rowan\n").event_ids == ("D1", "D2", "D3")
    assert items[1].event_ids == ("D2", "D3")  # the second session is one chunk

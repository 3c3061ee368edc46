"""What is graphiti's own: a graph whose entities are told anew when an episode is forgotten, and a reranker."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import LocalServer

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, MemoryScope, RecallQuery

if TYPE_CHECKING:
    from conftest import Library

pytestmark = [
    pytest.mark.filterwarnings("default"),  # libraries warn about each other
    pytest.mark.skipif(find_spec("graphiti_core") is None, reason="extra 'graphiti' is not installed here"),
]
Start = Callable[..., LocalServer]
SAID = ("My brother is called Tom.", "Yesterday I met Eve.", "Today I met Tom again.")


@pytest.fixture
def graphiti(libraries: "dict[str, Library]") -> "Library":
    return libraries["graphiti"]


def played(library: "Library", folder: Path, work: Callable[[Memory], Awaitable[Any]], **fields: Any) -> Any:
    async def run() -> Any:
        system = library.make(**fields)
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="scope", directory=folder))
            for number, said in enumerate(SAID):
                at = datetime(2023, 5, number + 1, tzinfo=UTC)
                await memory.write(MemoryEvent(id=f"t{number}", content=said, speaker="Ada", at=at))
            result = await work(memory)
            await memory.close()
            return result
        finally:
            await system.close()

    return asyncio.run(run())


def test_a_dump_shows_facts_entities_and_episodes(graphiti: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=graphiti.brain)

    async def work(memory: Memory) -> Any:
        return [(item.metadata["kind"], item.event_ids) for item in await memory.dump()]

    held = played(graphiti, tmp_path, work)
    assert sorted(events for kind, events in held if kind == "episode") == [("t0",), ("t1",), ("t2",)]
    assert sorted(events for kind, events in held if kind == "fact") == [("t0",), ("t1",), ("t2",)]
    assert sorted(events for kind, events in held if kind == "entity") == [("t0", "t1", "t2"), ("t0", "t2"), ("t1",)]


def test_an_entity_that_others_mention_outlives_an_episode(
    graphiti: "Library", openai_server: Start, tmp_path: Path
) -> None:
    openai_server(brain=graphiti.brain)

    async def work(memory: Memory) -> None:
        receipt = await memory.forget(ForgetDemand(content="", event_ids=("t1",)))
        left = await memory.dump()
        names = {item.text.partition(":")[0] for item in left if item.metadata["kind"] == "entity"}
        assert names == {"Ada", "Tom"}
        assert not any("Eve" in item.text or "t1" in item.event_ids for item in left)
        assert not set(receipt.removed) & {item.id for item in left}
        assert len(receipt.removed) == 3

    played(graphiti, tmp_path, work)


def test_facts_are_found_by_words_alone(graphiti: "Library", openai_server: Start, tmp_path: Path) -> None:
    """The full-text index works: to the vectors of the server words that are not in a fact mean nothing."""
    openai_server(brain=graphiti.brain)

    async def work(memory: Memory) -> Any:
        return await memory.recall(RecallQuery(text="brothers", limit=1))  # stemmed by kuzu's index

    assert played(graphiti, tmp_path, work)[0].event_ids == ("t0",)


def test_a_reranker_orders_what_is_found(graphiti: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain=graphiti.brain)

    async def work(memory: Memory) -> Any:
        return await memory.recall(RecallQuery(text="Whom did I meet yesterday: Eve?", limit=2))

    found = played(graphiti, tmp_path, work, rerank={"model": "openai:judge-tiny"})
    assert found[0].event_ids == ("t1",)
    assert found[0].score > found[1].score
    assert {entry.model for entry in server.log.entries if entry.path.endswith("/rerank")} == {"judge-tiny"}

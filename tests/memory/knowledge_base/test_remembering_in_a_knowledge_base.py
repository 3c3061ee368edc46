"""What a knowledge base promises as a memory: hearing, recalling, replacing, showing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import anyio
import pytest

from heams.memory.base import ForgetDemand, MemoryEvent, MemoryScope, RecallQuery
from heta_framework.common.stores.text_index.in_memory import InMemoryTextIndexStore
from heta_framework.kb.errors import KnowledgeBuildError
from heta_framework.kb.steps.index_full_text import IndexFullText

pytestmark = pytest.mark.anyio


async def _ids(memory: Any, text: str, limit: int | None = None) -> list[str]:
    return [item.id for item in await memory.recall(RecallQuery(text=text, limit=limit))]


async def test_what_was_heard_is_recalled_word_for_word_with_its_origin(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind)
    at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    content = "The \ud800 heron nests\n in the reeds. "
    origin = {"speaker": "Ada", "principal": "Ada", "session_id": "session_1", "metadata": {"mood": "glad"}}
    await memory.write(MemoryEvent(id=" odd \ud800 id ", content=content, at=at, **origin))
    item = (await memory.recall(RecallQuery(text="Where does the heron nest?")))[0]
    assert (item.id, item.text, item.event_ids) == (" odd \ud800 id ", content, (" odd \ud800 id ",))
    assert (item.speaker, item.at) == ("Ada", at)
    kept = {"kind": "turn", "role": "user", "principal": "Ada", "session_id": "session_1"}
    assert item.metadata == {"mood": "glad", **kept}
    assert item.score is not None


async def test_a_note_leads_back_to_the_events_it_was_made_from(open_memory: Any) -> None:
    memory = await open_memory("words", {})
    await memory.write(MemoryEvent(id="note-1", content="Maya has a kitten", kind="note", sources=("D1:1", "D1:7")))
    (item,) = await memory.recall(RecallQuery(text="kitten"))
    assert (item.id, item.event_ids) == ("note-1", ("D1:1", "D1:7"))


async def test_who_speaks_can_be_asked_for(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind)
    await memory.write(MemoryEvent(id="D2:1", content="It rained all day.", speaker="Bartholomew"))
    assert (await _ids(memory, "What did Bartholomew say?"))[0] == "D2:1"


async def test_a_memory_that_heard_nothing_recalls_nothing(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind, {})
    assert await _ids(memory, "kitten") == []
    assert list(await memory.dump()) == []
    await memory.write(MemoryEvent(id="x", content="a kitten"))
    assert await _ids(memory, "kitten") == ["x"]
    assert await _ids(memory, " \n") == []


async def test_an_event_heard_again_replaces_the_older_one_as_the_latest(open_memory: Any, kind: str) -> None:
    memory = await open_memory(kind)
    assert len(await memory.dump()) == 3
    await memory.write_all(
        [
            MemoryEvent(id="D1:1", content=text, speaker="Maya")
            for text in ("passed over", "The kitten is called Pepper.")
        ]
    )
    dump = await memory.dump()
    assert [item.id for item in dump] == ["D1:2", "D1:3", "D1:1"]
    assert dump[-1].text == "The kitten is called Pepper."
    assert not any("score" in item.model_dump() for item in dump)
    assert "shelter" not in str(await memory.recall(RecallQuery(text="shelter Pepper kitten")))


async def test_a_limit_is_kept_and_top_k_is_the_limit_of_a_recall_without_one(open_memory: Any, kind: str) -> None:
    said = {f"e{number}": f"violin lesson number {number}" for number in range(8)}
    memory = await open_memory(kind, said, top_k=5)
    assert [len(await _ids(memory, "violin lesson", limit)) for limit in (3, 50, None)] == [3, 8, 5]


async def test_hearing_in_bulk_is_hearing_one_by_one(open_memory: Any) -> None:
    events = [MemoryEvent(id=f"{number % 29}", content=f"violin {number % 7} of {number % 11}") for number in range(40)]
    bulk, single = await open_memory("words", {}), await open_memory("words", {})
    await bulk.write_all(events)
    for number, event in enumerate(events):
        await single.write(event)
        if number % 9 == 0:
            await single.dump()
    assert await bulk.dump() == await single.dump()
    assert set(await _ids(bulk, "violin 3", 50)) == set(await _ids(single, "violin 3", 50))


async def test_a_long_event_is_recalled_in_parts_that_lead_back_to_it(open_memory: Any) -> None:
    memory = await open_memory("files")
    pages = [f"Chapter {number} tells of the {name} at length." for number, name in enumerate(("otter", "heron"))]
    content = "\n\n".join(page + " Nothing else happens for a while." * 12 for page in pages)
    await memory.write(MemoryEvent(id="book", content=content, kind="document", speaker="Ada"))
    parts = [item for item in await memory.dump() if item.event_ids == ("book",)]
    assert len(parts) > 2
    assert len({item.id for item in parts}) == len(parts)
    assert [item.metadata["part"] for item in parts] == list(range(len(parts)))
    found = (await memory.recall(RecallQuery(text="otter", limit=1)))[0]
    assert (found.event_ids, found.speaker, found.metadata["kind"]) == (("book",), "Ada", "document")
    assert "otter" in found.text
    assert content not in found.text


async def test_the_parts_of_a_long_turn_do_not_repeat_its_speaker(open_memory: Any) -> None:
    memory = await open_memory("files", {"long": "The otter swims. " * 60})
    parts = await memory.dump()
    assert len(parts) > 1
    assert {item.speaker for item in parts} == {"Maya"}
    assert not any("Maya" in item.text for item in parts)


async def test_events_wait_until_the_knowledge_base_holds_them(
    open_memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = await open_memory("words")
    await memory.dump()
    await memory.write(MemoryEvent(id="D9:1", content="The heron came late."))

    async def broken(*_: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(IndexFullText, "run", broken)
        with pytest.raises(KnowledgeBuildError, match="disk full"):
            await _ids(memory, "heron")
    assert await _ids(memory, "heron") == ["D9:1"]
    assert await _ids(memory, "kitten") == ["D1:1"]


async def test_tallies_say_how_many_documents_there_are(open_memory: Any) -> None:
    memory = await open_memory("words")
    await memory.dump()
    assert memory.tallies() == {"documents": 3, "issues": 0}


def test_capabilities_follow_from_the_stores(system: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("words", "hybrid", "files"):
        capabilities = system(kind).capabilities
        assert (capabilities.fork, capabilities.persist) == (True, True)
    on_server = system("words", recipe=_on_a_server()).capabilities
    assert (on_server.fork, on_server.persist, on_server.forget, on_server.dump) == (False, False, True, True)


def _on_a_server() -> dict[str, Any]:
    return {
        "name": "server",
        "stores": {
            "objects": "memory",
            "text_index": "memory",
            "sql": {"type": "postgresql", "url_env": "NOT_SET_URL"},
        },
        "steps": ["parse_documents", "split_documents", "index_full_text"],
    }


async def test_a_variable_that_is_not_set_keeps_the_system_from_starting(system: Any) -> None:
    with pytest.raises(Exception, match=r"stores\.sql\.url_env: the environment variable NOT_SET_URL is not set"):
        await system("words", recipe=_on_a_server()).start()


async def test_a_scope_without_a_folder_leaves_nothing_behind(system: Any) -> None:
    made = system("files")
    await made.start()
    memory = await made.open(MemoryScope(id="scope"))
    await memory.write(MemoryEvent(id="x", content="a kitten"))
    assert await _ids(memory, "kitten") == ["x"]
    place = made._own_directory().parent
    await memory.close()
    await made.close()
    assert not place.exists()


async def test_questions_are_answered_side_by_side_and_changes_alone(open_memory: Any) -> None:
    memory = await open_memory("words")
    under_way: list[str] = []
    together: list[int] = []
    search = InMemoryTextIndexStore.search

    async def watched(store: Any, index: str, query: Any) -> Any:
        under_way.append(query.text)
        together.append(len(under_way))
        await anyio.sleep(0.01)
        found = await search(store, index, query)
        under_way.pop()
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InMemoryTextIndexStore, "search", watched)
        async with anyio.create_task_group() as group:
            for text in ("kitten", "violin", "tomatoes"):
                group.start_soon(_ids, memory, text)
            group.start_soon(memory.forget, ForgetDemand(content="", event_ids=("D1:1",)))
            group.start_soon(_ids, memory, "shelter")
    assert max(together) >= 3
    assert [item.id for item in await memory.dump()] == ["D1:2", "D1:3"]

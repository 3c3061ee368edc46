"""What all memory libraries share, with a small library of our own that asks the gateway: no extra is needed."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from model_server import LocalServer

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, MemoryScope, RecallQuery
from heams.memory.libraries.batches import Batch, batches, dated
from heams.memory.libraries.engine import Engine, Held
from heams.memory.libraries.library_system import LibraryMemorySystem
from heams.memory.libraries.openai_clients import blocking_client
from heams.memory.libraries.receipts import Receipts
from heams.memory.libraries.settings import LibrarySettings
from heams.memory.libraries.threads import in_thread
from heams.orchestration.component_types import component_adapter
from heta_framework.common.models.errors import CallFailed, ModelSetupError
from heta_framework.common.models.gateway import Seat
from heta_framework.common.stores.snapshot import SnapshotError

if TYPE_CHECKING:
    from conftest import Library

Start = Callable[..., LocalServer]


class JotterConfig(LibrarySettings):
    """Keeps what the model makes of each batch."""

    type: Literal["jotter"] = "jotter"


class JotterEngine(Engine):
    """Notes by owner and key in one JSON file. A failed call of the model is swallowed, as some libraries do."""

    def __init__(self, folder: Path, seat: Seat) -> None:
        self._seat = seat
        self._client = blocking_client(seat)
        self._file = folder / "notes.json"
        folder.mkdir(parents=True, exist_ok=True)
        self._notes: dict[str, dict[str, str]] = json.loads(self._file.read_text()) if self._file.exists() else {}

    async def add(self, batch: Batch) -> Collection[str]:
        return await in_thread(self._seat, lambda: self._add(batch))

    async def search(self, text: str, owner: str, limit: int) -> Sequence[Held]:
        found = [held for held in await self.items([owner]) if set(text.split()) & set(held.text.split())]
        return found[:limit]

    async def items(self, owners: Collection[str]) -> Sequence[Held]:
        return [Held(key, note, (key,)) for owner in owners for key, note in self._notes.get(owner, {}).items()]

    async def remove(self, ids: Sequence[str]) -> Collection[str]:
        return [key for key in ids for notes in self._notes.values() if notes.pop(key, None) is not None]

    async def save(self, folder: Path) -> None:
        await in_thread(self._seat, lambda: self._save(folder))

    async def close(self) -> None:
        self._client.close()

    def _save(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "notes.json").write_text(json.dumps(self._notes))

    def _add(self, batch: Batch) -> list[str]:
        messages: Any = [{"role": "user", "content": " ".join(event.content for event in batch.events)}]
        try:
            reply = self._client.chat.completions.create(model="any", messages=messages)
        except Exception:  # noqa: BLE001 - that is the point
            return []
        notes = self._notes.setdefault(batch.owner, {})
        key = f"n{sum(map(len, self._notes.values())) + 1}"
        notes[key] = str(reply.choices[0].message.content)
        return [key]


class JotterSystem(LibraryMemorySystem):
    """The small library as a memory system; pytest stands in for its distribution."""

    config: JotterConfig
    distribution = "pytest"

    def _load(self) -> None:
        pass

    async def _open_engine(self, folder: Path, seat: Seat) -> Engine:
        return JotterEngine(folder, seat)


def played(folder: Path | None, work: Callable[[Memory], Awaitable[Any]], **fields: Any) -> Any:
    async def run() -> Any:
        system = JotterSystem(
            JotterConfig.model_validate({"llm": {"model": "openai:tiny", "max_attempts": 1}} | fields)
        )
        await system.start()
        memory = await system.open(MemoryScope(id="scope", directory=folder))
        try:
            return await work(memory)
        finally:
            await memory.close()
            await system.close()

    return asyncio.run(run())


def event(key: str, content: str, **fields: Any) -> MemoryEvent:
    return MemoryEvent.model_validate({"id": key, "content": content} | fields)


BOXES = [event("e1", "red box"), event("e2", "blue box"), event("e3", "green sea")]


def test_recalls_with_provenance_and_in_order(openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain="echo")

    async def work(memory: Memory) -> Any:
        await memory.write_all(BOXES)
        return await memory.recall(RecallQuery(text="box")), await memory.dump()

    found, dumped = played(tmp_path, work)
    assert [(item.text, item.event_ids) for item in found] == [("red box", ("e1",)), ("blue box", ("e2",))]
    assert [item.event_ids for item in dumped] == [("e1",), ("e2",), ("e3",)]
    assert list(tmp_path.iterdir()) == []


def test_a_scope_without_a_directory_gets_one(openai_server: Start) -> None:
    openai_server(brain="echo")

    async def work(memory: Memory) -> Any:
        await memory.write_all(BOXES)
        return await memory.dump()

    assert len(played(None, work)) == 3


def test_forks_share_one_library_until_they_write(openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain="echo")

    async def work(memory: Memory) -> Any:
        await memory.write_all(BOXES)
        one, other = await memory.fork(), await memory.fork()
        shared = names_in(tmp_path)
        await one.recall(RecallQuery(text="box"))
        assert names_in(tmp_path) == shared
        await asyncio.gather(one.write(event("e4", "red cup")), other.forget(ForgetDemand(content="blue box")))
        await memory.write(event("e5", "red pen"))
        dumps = [[item.event_ids[0] for item in await each.dump()] for each in (memory, one, other)]
        for fork in (one, other):
            await fork.close()
        assert names_in(tmp_path) == shared
        return dumps

    assert played(tmp_path, work) == [["e1", "e2", "e3", "e5"], ["e1", "e2", "e3", "e4"], ["e1", "e3"]]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_swallowed_failure_comes_to_light(openai_server: Start, tmp_path: Path) -> None:
    openai_server(faults=({"fault": "server_error"},))

    async def work(memory: Memory) -> None:
        with pytest.raises(CallFailed, match="500"):
            await memory.write_all(BOXES)
        assert list(await memory.dump()) == []

    played(tmp_path, work)


def test_a_snapshot_belongs_to_its_configuration(openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain="echo")
    saved = tmp_path / "saved"
    saved.mkdir()

    async def keep(memory: Memory) -> None:
        await memory.write_all(BOXES)
        await memory.persist(saved)
        await memory.persist(saved)

    async def fetch(memory: Memory) -> Any:
        await memory.restore(saved)
        return [item.event_ids for item in await memory.dump()]

    played(tmp_path / "a", keep)
    assert played(tmp_path / "b", fetch) == [("e1",), ("e2",), ("e3",)]
    with pytest.raises(SnapshotError, match="expected"):
        played(tmp_path / "c", fetch, batch_events=2)


def test_a_cancelled_thread_is_waited_for_and_its_calls_given_up(openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain="echo", latency=60)
    before = threading.active_count()

    async def work(memory: Memory) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await memory.write_all(BOXES)
        server.play(latency=0)
        await memory.write_all(BOXES)
        assert len(await memory.dump()) == 3

    played(tmp_path, work)
    assert threading.active_count() <= before + 1


def test_without_its_extra_a_library_says_what_to_install(any_library: "Library") -> None:
    if any_library.installed:
        pytest.skip("it is installed here")
    with pytest.raises(ModelSetupError, match=rf"pip install 'heams\[{any_library.name}\]'"):
        asyncio.run(any_library.make().start())


def test_the_file_that_comes_with_a_library_spells_out_its_settings(any_library: "Library", repository: Path) -> None:
    file = repository / "configs" / "memory_systems" / f"{any_library.name}.yaml"
    written = yaml.safe_load(file.read_text("utf-8"))
    config = component_adapter("memory_system").validate_python(written)
    models = {"llm", "embedding"}
    assert {**config.model_dump(exclude=models, exclude_none=True)} == {
        name: value for name, value in written.items() if name not in models
    }
    assert type(config).model_validate({"type": any_library.name, "llm": written["llm"]}) == config.model_copy(
        update={"embedding": "wordllama"}
    )


EVENTS = st.lists(
    st.builds(
        event,
        st.text(max_size=3),
        st.just("said"),
        principal=st.sampled_from(["a", "b"]),
        session_id=st.sampled_from(["s", "t", None]),
        at=st.one_of(st.none(), st.datetimes(timezones=st.just(UTC))),
    ),
    max_size=12,
)


@given(EVENTS, st.integers(1, 4), st.booleans())
def test_batches_lose_and_mix_nothing(events: list[MemoryEvent], most: int, apart: bool) -> None:
    made = list(batches(events, most, lambda principal: principal if apart else "all"))
    assert [one for batch in made for one in batch.events] == events
    for batch in made:
        assert 1 <= len(batch.events) <= most
        assert len({one.session_id for one in batch.events}) == 1
        assert {one.principal for one in batch.events} == {batch.owner} or not apart


@given(st.lists(st.tuples(EVENTS.filter(bool), st.lists(st.sampled_from("xyz"), max_size=3)), max_size=5))
def test_receipts_survive_saving(heard: list[tuple[list[MemoryEvent], list[str]]]) -> None:
    receipts = Receipts()
    for events, made in heard:
        receipts.note(Batch("me", tuple(events)), made)
    again = Receipts.from_json(receipts.to_json())
    for receipt in "xyz":
        behind = [one.id for events, made in heard if receipt in made for one in events]
        assert again.events_behind([receipt]) == tuple(dict.fromkeys(behind))
        assert again.time_behind([receipt]) == receipts.time_behind([receipt])
    assert again.first_place("xyz") == receipts.first_place("xyz")


def test_changed_notes_are_not_shared_with_a_copy() -> None:
    receipts = Receipts()
    receipts.note(Batch("me", (event("e1", "said", at=datetime(2023, 5, 8, tzinfo=UTC)),)), ["x"])
    copy = receipts.copy()
    copy.note(Batch("you", (event("e2", "said"),)), ["x"])
    receipts.drop(["x"])
    assert (copy.events_behind(["x"]), copy.owners) == (("e1", "e2"), ("me", "you"))
    assert (receipts.events_behind(["x"]), receipts.owners) == ((), ("me",))


def test_what_is_said_carries_its_speaker_and_its_time() -> None:
    at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert dated(event("e1", "I moved.", speaker="Ada", at=at)) == "[2023-05-08 13:56] Ada: I moved."
    assert dated(event("e2", "A manual.", kind="document")) == "A manual."

"""What every memory library must do behind its adapter, in earnest, against the local model server."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import CANARY_KEY, LocalServer

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, MemoryItem, MemoryScope, RecalledItem, RecallQuery
from heams.memory.items import without_score
from heams.scenarios.waiting import TimeSpent
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.errors import CallFailed, CostLimitReached
from heta_framework.common.stores.snapshot import SnapshotError

if TYPE_CHECKING:
    from conftest import Library

pytestmark = pytest.mark.filterwarnings("default")  # libraries warn about each other
Start = Callable[..., LocalServer]
SAID = {
    "t1": "We adopted the kitten Mimi.",
    "t2": "Last month we moved to Lisbon.",
    "t3": "My brother is called Tom.",
}


def events(said: dict[str, str] | None = None, **fields: Any) -> list[MemoryEvent]:
    """Turns of Ada, a day apart."""
    contents = (SAID if said is None else said).items()
    return [
        MemoryEvent(
            **{
                "id": key,
                "content": content,
                "speaker": "Ada",
                "session_id": "s1",
                "at": datetime(2023, 5, number, tzinfo=UTC),
            }
            | fields
        )
        for number, (key, content) in enumerate(contents, start=1)
    ]


def scoreless(items: Sequence[RecalledItem]) -> list[MemoryItem]:
    """Items without scores, which differ in the last digit once vectors were written as float32."""
    return [without_score(item) for item in items]


def folders_in(place: Path) -> int:
    """How many folders there are."""
    return len(list(place.iterdir()))


@asynccontextmanager
async def opened(library: "Library", folder: Path, **fields: Any) -> AsyncIterator[Memory]:
    """A memory of a started system."""
    system = library.make(**{"batch_events": 1} | fields)
    await system.start()
    memory = await system.open(MemoryScope(id="scope", directory=folder))
    try:
        yield memory
    finally:
        await memory.close()
        await system.close()


def played(library: "Library", folder: Path, work: Callable[[Memory], Awaitable[Any]], **fields: Any) -> Any:
    """Run ``work`` on a new memory."""

    async def run() -> Any:
        async with opened(library, folder, **fields) as memory:
            return await work(memory)

    return asyncio.run(run())


def test_hears_recalls_and_knows_where_it_has_it_from(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain=library.brain)

    async def work(memory: Memory) -> Any:
        with call_scope() as scope:
            await memory.write_all(events())
            found = await memory.recall(RecallQuery(text="Is Tom the name of your brother?", limit=1))
        return found, scope.usage

    found, usage = played(library, tmp_path, work)
    assert len(found) == 1
    assert "My brother is called Tom." in found[0].text
    assert found[0].event_ids == ("t3",)
    assert found[0].at == datetime(2023, 5, 3, tzinfo=UTC)
    assert found[0].score is not None
    whole = server.summary().whole
    assert sum(part.calls for part in usage.values()) == whole.calls
    assert sum(part.input_tokens for part in usage.values()) == whole.prompt
    assert usage["memory"].output_tokens == whole.completion
    assert usage["embedding"].calls > 0


def test_models_are_asked_as_configured_and_never_with_the_real_key(
    library: "Library", openai_server: Start, tmp_path: Path
) -> None:
    server = openai_server(brain=library.brain, api_key=CANARY_KEY)
    llm = {"model": "openai:tiny", "temperature": 0.25, "seed": 11}

    async def work(memory: Memory) -> None:
        await memory.write_all(events())

    played(library, tmp_path, work, llm=llm)
    chats = [entry.body for entry in server.log.entries if entry.path.endswith("/chat/completions")]
    assert {(body["model"], body["temperature"], body["seed"]) for body in chats} == {("tiny", 0.25, 11)}
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(CANARY_KEY.encode() not in path.read_bytes() for path in written)


def test_what_is_asked_is_the_same_in_every_run(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    """No ids drawn at random, no wall clock: else neither cache nor cassette would know a question again."""
    server = openai_server(brain=library.brain)

    async def work(memory: Memory) -> list[str]:
        before = len(server.log.entries)
        await memory.write_all(events())
        await memory.write_all(events({"u1": "Tom came to Lisbon with Mimi."}))
        await memory.recall(RecallQuery(text="Who came to Lisbon?"))
        asked = [entry.body for entry in server.log.entries[before:]]
        return sorted(map(str, asked))

    first = played(library, tmp_path / "a", work)
    assert played(library, tmp_path / "b", work) == first
    assert not any(f"{datetime.now(UTC):%Y-%m-%d}" in body for body in first)


def test_forks_share_until_one_of_them_changes(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)

    async def work(memory: Memory) -> None:
        await memory.write_all(events())
        fork = await memory.fork()
        other = await memory.fork()
        folders = folders_in(tmp_path)
        query = RecallQuery(text="Is Tom the name of your brother?", limit=1)
        assert await fork.recall(query) == await memory.recall(query)
        assert folders_in(tmp_path) == folders
        receipt = await fork.forget(ForgetDemand(content="", event_ids=("t3",)))
        assert receipt.removed
        assert not any("Tom" in item.text for item in await fork.dump())
        assert not any("t3" in item.event_ids for item in await fork.recall(query))
        for untouched in (memory, other):
            assert any("Tom" in item.text for item in await untouched.dump())
            assert (await untouched.recall(query))[0].event_ids == ("t3",)
        await other.write(events({"t4": "Now we live in Porto."})[0])
        assert not any("Porto" in item.text for item in await memory.dump())
        assert any("Porto" in item.text for item in await other.dump())
        await fork.close()
        await other.close()
        assert folders_in(tmp_path) == folders

    played(library, tmp_path, work)


def test_forgets_by_words(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)

    async def work(memory: Memory) -> None:
        await memory.write_all(events())
        nothing = await memory.forget(ForgetDemand(content="Please forget what I said about the weather."))
        assert nothing.removed == ()
        receipt = await memory.forget(ForgetDemand(content='Forget that "we moved to Lisbon".'))
        assert receipt.removed
        left = [item.text for item in await memory.dump()]
        assert not any("Lisbon" in text for text in left)
        assert any("Mimi" in text for text in left)

    played(library, tmp_path, work)


def test_a_persisted_state_recalls_the_same(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)
    query = RecallQuery(text="Where did you move to last month?", limit=3)
    saved = tmp_path / "saved"
    saved.mkdir()

    async def keep(memory: Memory) -> Any:
        await memory.write_all(events())
        await memory.persist(saved)
        return scoreless(await memory.recall(query)), await memory.dump()

    async def fetch(memory: Memory) -> Any:
        await memory.restore(saved)
        found = scoreless(await memory.recall(query)), await memory.dump()
        await memory.write(events({"t4": "Now we live in Porto."})[0])
        assert any("t4" in item.event_ids for item in await memory.dump())
        return found

    kept = played(library, tmp_path / "a", keep)
    assert played(library, tmp_path / "b", fetch) == kept
    with pytest.raises(SnapshotError, match="written by"):
        played(library, tmp_path / "c", fetch, search_limit=3)
    with pytest.raises(SnapshotError, match="no saved state"):
        played(library, tmp_path / "d", lambda memory: memory.restore(tmp_path / "nowhere"))


def test_everybody_is_answered_from_everything(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)

    async def work(memory: Memory) -> None:
        await memory.write(events({"t0": "My door code is kept by Tom."}, principal="Ada")[0])
        found = await memory.recall(RecallQuery(text="Who keeps the door code?", principal="Bo"))
        assert found[0].event_ids == ("t0",)

    played(library, tmp_path, work)


def test_people_can_be_kept_apart(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)
    whose = {"Ada": "My door code is kept by Tom.", "Bo K. (ü)": "My door code is kept by Eve."}

    async def work(memory: Memory) -> None:
        for number, (principal, said) in enumerate(whose.items()):
            await memory.write(events({f"t{number}": said}, principal=principal)[0])
        for number, principal in enumerate(whose):
            found = await memory.recall(RecallQuery(text="Who keeps the door code?", principal=principal))
            assert {event for item in found for event in item.event_ids} == {f"t{number}"}
        assert await memory.recall(RecallQuery(text="Who keeps the door code?", principal="nobody")) == []
        assert {event for item in await memory.dump() for event in item.event_ids} == {"t0", "t1"}

    played(library, tmp_path, work, owners="principal")


def test_a_batch_is_behind_all_that_came_of_it(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)

    async def work(memory: Memory) -> None:
        await memory.write_all(events())
        found = await memory.recall(RecallQuery(text="Is Tom the name of your brother?", limit=1))
        assert found[0].event_ids == ("t1", "t2", "t3")

    played(library, tmp_path, work, batch_events=10)


def test_odd_input_is_borne(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)
    odd = {"": 'Zoë said: \u200bnaïve {braces} \\ "quotes" <tags> \' -- ; Tom', "id with space": "x" * 20_000}

    async def work(memory: Memory) -> None:
        assert await memory.recall(RecallQuery(text="Anything?")) == []
        assert list(await memory.dump()) == []
        assert await memory.recall(RecallQuery(text="   ")) == []
        await memory.write_all(events(odd, at=None, principal=""))
        assert await memory.dump()
        await memory.recall(RecallQuery(text="What (about) \"Tom\" AND 'that' OR * [x] ~ ^ : \\ ?", principal=""))

    played(library, tmp_path, work)


def test_wordllama_needs_no_embedding_endpoint(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain=library.brain)

    async def work(memory: Memory) -> Any:
        await memory.write_all(events())
        return await memory.recall(RecallQuery(text="Is Tom the name of your brother?", limit=1))

    found = played(library, tmp_path, work, embedding="wordllama")
    assert found[0].event_ids == ("t3",)
    assert not any(entry.path.endswith("/embeddings") for entry in server.log.entries)


@pytest.mark.parametrize("path", ["*/chat/completions", "*/embeddings"])
def test_a_failed_call_is_never_lost(library: "Library", openai_server: Start, tmp_path: Path, path: str) -> None:
    fault = {"fault": {"kind": "server_error", "retry_after_ms": 1}, "path": path}
    server = openai_server(brain=library.brain)

    async def work(memory: Memory) -> None:
        await memory.write_all(events({"t0": "Eve has the keys of Tom."}))
        server.play(faults=(fault,))
        with pytest.raises(CallFailed, match="500"):
            await memory.write_all(events())
        server.play(faults=())
        await memory.write_all(events())
        assert any("t3" in item.event_ids for item in await memory.dump())

    played(library, tmp_path, work)


def test_faults_that_pass_are_survived(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    rules = [
        {"fault": {"kind": kind, "retry_after_ms": 1}, "share": 0.15}
        for kind in ("rate_limited", "server_error", "disconnect")
    ]
    server = openai_server(brain=library.brain, faults=rules)

    async def work(memory: Memory) -> Any:
        with call_scope() as scope:
            await memory.write_all(events())
        return scope.usage

    models = {
        "llm": {"model": "openai:tiny", "max_attempts": 12},
        "embedding": {"model": "openai:embed-tiny", "max_attempts": 12},
    }
    usage = played(library, tmp_path, work, **models)
    sums = server.summary()
    assert sum(part.calls for part in usage.values()) == sums.whole.calls
    assert sum(part.possibly_billed for part in usage.values()) == sums.cut
    assert sum(part.retries for part in usage.values()) == sums.refused + sums.cut


def test_the_cost_limit_is_not_swallowed(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=library.brain)
    prices = {"input": 1000.0, "output": 1000.0}
    llm = {"model": "openai:tiny", "prices": prices}

    async def work(memory: Memory) -> None:
        with pytest.raises(CostLimitReached):
            await memory.write_all(events())

    with using_runtime(ModelRuntime(meter=MeterLayer(max_cost_usd=0.001))):
        played(library, tmp_path, work, llm=llm)


def test_a_cancelled_write_gives_up_its_calls(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain=library.brain)

    async def work(memory: Memory) -> None:
        await memory.write_all(events({"t0": "Eve has the keys of Tom."}))
        server.play(latency=60)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await memory.write_all(events())
        server.play(latency=0)
        await memory.write_all(events())
        assert any("t3" in item.event_ids for item in await memory.dump())

    played(library, tmp_path, work)


def test_waiting_for_a_turn_is_reported_as_waiting(library: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain=library.brain)

    async def asked(memory: Memory) -> TimeSpent:
        with TimeSpent() as time:
            await memory.recall(RecallQuery(text="Is Tom the name of your brother?"))
        return time

    async def work(memory: Memory) -> list[float]:
        await memory.write_all(events())
        server.play(latency=0.2)
        return [time.waited for time in await asyncio.gather(*(asked(memory) for _ in range(3)))]

    waited = played(library, tmp_path, work)
    assert min(waited) < 0.2 <= max(waited)  # the last one waits for two that take 0.2 s each at least


def test_the_environment_is_left_alone(library: "Library") -> None:
    allowed = {"MEM0_TELEMETRY", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "GRAPHITI_TELEMETRY_ENABLED"}
    before = dict(os.environ)
    library.make()._load()  # type: ignore[attr-defined]
    changed = {name for name, value in os.environ.items() if before.get(name) != value}
    assert changed <= allowed
    assert before.keys() <= os.environ.keys()

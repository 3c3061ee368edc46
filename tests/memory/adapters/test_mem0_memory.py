"""What is mem0's own: how it extracts, what it keeps beside the memories, and where its calls could go astray."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import LocalServer

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, MemoryScope, RecallQuery
from heams.memory.libraries.engine import LibraryError

if TYPE_CHECKING:
    from conftest import Library

pytestmark = [
    pytest.mark.filterwarnings("default"),  # libraries warn about each other
    pytest.mark.skipif(find_spec("mem0") is None, reason="extra 'mem0' is not installed here"),
]
Start = Callable[..., LocalServer]
EVENT = MemoryEvent(id="t1", content="Tom keeps the keys.", speaker="Ada", at=datetime(2023, 5, 8, tzinfo=UTC))


@pytest.fixture
def mem0(libraries: "dict[str, Library]") -> "Library":
    return libraries["mem0"]


def played(library: "Library", folder: Path, work: Callable[[Memory], Awaitable[Any]], **fields: Any) -> Any:
    async def run() -> Any:
        system = library.make(**fields)
        await system.start()
        memory = await system.open(MemoryScope(id="scope", directory=folder))
        try:
            return await work(memory)
        finally:
            await memory.close()
            await system.close()

    return asyncio.run(run())


def prompts(server: LocalServer) -> list[str]:
    """The user's part of each chat."""
    bodies = [entry.body for entry in server.log.entries if entry.path.endswith("/chat/completions")]
    return [body["messages"][-1]["content"] for body in bodies]


def rows_in(folder: Path) -> list[Any]:
    """What mem0's own database holds."""
    (history,) = folder.rglob("history.db")
    with closing(sqlite3.connect(history)) as connection:
        logs = (connection.execute(query) for query in ("SELECT * FROM history", "SELECT * FROM messages"))
        return [row for log in logs for row in log]


def test_extracts_as_of_the_day_on_which_it_was_said(mem0: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(brain=mem0.brain)

    async def work(memory: Memory) -> None:
        await memory.write(EVENT)
        await memory.write(EVENT.model_copy(update={"at": None}))

    played(mem0, tmp_path, work, instructions="Mind the keys.")
    dated, undated = prompts(server)
    assert "## Observation Date\n2023-05-08\n\n## Current Date\n2023-05-08" in dated
    assert "## Observation Date\nunknown\n" in undated
    assert "## Custom Instructions\nMind the keys." in dated
    assert "user: Ada: Tom keeps the keys." in dated


@pytest.mark.parametrize("said", ["no JSON at all", '["neither this"]', '{"memory": '])
def test_a_reply_that_mem0_cannot_read_is_no_silent_loss(
    mem0: "Library", openai_server: Start, tmp_path: Path, said: str
) -> None:
    openai_server(brain={"fixed": said})

    async def fails(memory: Memory) -> None:
        with pytest.raises(LibraryError, match="t1"):
            await memory.write(EVENT)

    async def skips(memory: Memory) -> None:
        await memory.write(EVENT)
        assert list(await memory.dump()) == []

    played(mem0, tmp_path / "fail", fails)
    played(mem0, tmp_path / "skip", skips, unreadable_replies="skip")


def test_nothing_worth_keeping_is_no_error(mem0: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain={"fixed": json.dumps({"memory": []})})

    async def work(memory: Memory) -> Any:
        await memory.write(EVENT)
        return list(await memory.dump())

    assert played(mem0, tmp_path, work) == []


def test_without_inference_no_language_model_is_asked(mem0: "Library", openai_server: Start, tmp_path: Path) -> None:
    server = openai_server()

    async def work(memory: Memory) -> Any:
        await memory.write(EVENT)
        return await memory.recall(RecallQuery(text="Who keeps the keys?"))

    found = played(mem0, tmp_path, work, infer=False)
    assert [(item.text, item.event_ids) for item in found] == [("Ada: Tom keeps the keys.", ("t1",))]
    assert prompts(server) == []


def test_what_is_forgotten_is_in_no_file(mem0: "Library", openai_server: Start, tmp_path: Path) -> None:
    openai_server(brain=mem0.brain)

    async def work(memory: Memory) -> list[Any]:
        await memory.write(EVENT)
        await memory.forget(ForgetDemand(content="", event_ids=("t1",)))
        return rows_in(tmp_path)

    assert played(mem0, tmp_path, work) == []


def test_neither_proxies_nor_other_keys_divert_calls(
    mem0: "Library", openai_server: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or-stray")
    server = openai_server(brain=mem0.brain)
    monkeypatch.setenv("NO_PROXY", server.base_url.split("/")[2])

    async def work(memory: Memory) -> None:
        await memory.write(EVENT)

    played(mem0, tmp_path, work)
    assert len(prompts(server)) == 1


def test_nothing_is_written_into_the_home_folder(tmp_path: Path) -> None:
    code = "from heams.memory.libraries.mem0_library import load_mem0; load_mem0()"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "HOME": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []

"""Knowledge bases on a server, which all memories share: each sees its own, and takes it away when it is closed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.memory.base import ForgetDemand, MemoryEvent, RecallQuery, UnsupportedOperation
from heta_framework.common.stores.sql import SQLStore

RECIPE: dict[str, Any] = {
    "name": "server",
    "models": {"embedding": "wordllama"},
    "stores": {
        "objects": "memory",
        "vector": {"type": "pgvector", "url_env": "KB_URL"},
        "sql": {"type": "postgresql", "url_env": "KB_URL"},
    },
    "steps": [
        "parse_documents",
        {"split_documents": {"encoding_name": "wordllama"}},
        "embed_chunks",
        "index_vectors",
        {"persist_chunks": {"dialect": "postgresql", "chunk_keys_artifact": "chunk_keys"}},
    ],
}


async def _tables(url: str) -> list[str]:
    store = SQLStore(url)
    rows = await store.fetch_all("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
    await store.aclose()
    return [row["tablename"] for row in rows if "memory" in row["tablename"]]


@pytest.mark.anyio
async def test_memories_on_one_server_never_meet_and_leave_nothing_behind(
    open_memory: Any, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_URL", postgres)
    settings = {"recipe": RECIPE, "mode": "sql_text_search"}
    one = await open_memory("words", {"a": "A grey kitten."}, **settings)
    other = await open_memory("words", {"a": "A kitten and a heron.", "b": "A violin."}, **settings)
    assert [item.text for item in await one.recall(RecallQuery(text="kitten"))] == ["A grey kitten."]
    assert [item.text for item in await other.recall(RecallQuery(text="kitten"))] == ["A kitten and a heron."]
    await one.write(MemoryEvent(id="c", content="Another kitten.", speaker="Maya"))
    assert len(await one.dump()) == 2
    assert (await other.forget(ForgetDemand(content="", event_ids=("a",)))).removed == ("a",)
    assert list(await other.recall(RecallQuery(text="kitten heron"))) == []
    for refused in (one.fork(), one.persist(Path("unused"))):
        with pytest.raises(UnsupportedOperation):
            await refused
    assert await _tables(postgres)
    await one.close()
    await other.close()
    assert await _tables(postgres) == []


def test_a_run_plays_its_questions_on_the_shared_state(
    questions: Callable[..., Path],
    one_experiment: Callable[..., dict[str, Any]],
    postgres: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("KB_URL", postgres)
    memory = {"type": "knowledge_base", "recipe": RECIPE, "mode": "sql_text_search"}
    agent = {"type": "scripted", "default": "x", "recall": True}
    results = list(heams.run(one_experiment(questions(3, history=5), agent=agent, memory=memory), tmp_path / "out"))
    assert [result.status for result in results] == ["completed"] * 3
    assert [result.isolation for result in results] == ["read_only"] * 3
    assert all(result.sample_id.replace("q", "t") in result.transcript[0].recalls[0].ids for result in results)
    password = json.dumps([path.read_text("utf-8") for path in (tmp_path / "out").rglob("*.*")])
    assert postgres not in password

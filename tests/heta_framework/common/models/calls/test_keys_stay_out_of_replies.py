"""A key that an endpoint repeats in a good answer, and one in an address or a prompt, is kept by nobody."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from canary_search import files_with_canary
from model_server import CANARY_KEY

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.replaying import ReplayLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.language.opening import open_language_model
from heta_framework.common.models.language.types import ModelRequest
from heta_framework.common.models.providers.reranking import PathReranker
from heta_framework.common.models.redaction import redact
from heta_framework.common.models.settings import LanguageModelConfig, RerankModelConfig

Server = Callable[..., Any]


async def _ask(prompt: str, runtime: ModelRuntime, **fields: Any) -> str:
    with using_runtime(runtime):
        model = open_language_model(LanguageModelConfig(model="openai:m", **fields), role="agent")
        return (await model.invoke(ModelRequest(prompt=prompt))).text


async def _kept(prompt: str, folder: Path, name: str = "calls.jsonl.zst", **fields: Any) -> str:
    async with open_cache_layer(folder / "cache") as cache, RecordingLayer.open(folder / name) as recording:
        return await _ask(prompt, ModelRuntime(recording=recording, cache=cache), **fields)


@pytest.mark.parametrize("name", ["calls.jsonl.zst", "calls.jsonl"])
def test_a_key_in_a_good_answer(openai_server: Server, tmp_path: Path, name: str) -> None:
    openai_server(brain={"fixed": f"Your key is {CANARY_KEY}, dear."})
    assert asyncio.run(_kept("which?", tmp_path, name)) == "Your key is ***, dear."
    assert asyncio.run(_kept("which?", tmp_path, name)) == "Your key is ***, dear.", "from the cache"
    assert files_with_canary(tmp_path) == []


def test_a_key_in_a_prompt_is_sent_and_not_recorded(openai_server: Server, tmp_path: Path) -> None:
    server = openai_server(brain={"fixed": "fine"})
    prompt = f"Is {CANARY_KEY} a good key?"
    asyncio.run(_kept(prompt, tmp_path))
    assert CANARY_KEY in str(server.log.entries[0].body)
    assert files_with_canary(tmp_path) == []

    async def replayed() -> str:
        async with ReplayLayer.open(tmp_path / "calls.jsonl.zst") as cassette:
            return await _ask(prompt, ModelRuntime(recording=cassette, replaying=True))

    assert asyncio.run(replayed()) == "fine"


def test_the_password_of_an_address(openai_server: Server, tmp_path: Path) -> None:
    host = openai_server(brain={"fixed": "fine"}).base_url.removeprefix("http://")
    address = f"http://ada:sesame-open@{host}"
    assert asyncio.run(_kept("which?", tmp_path, "calls.jsonl", base_url=address)) == "fine"
    line = (tmp_path / "calls.jsonl").read_text(encoding="utf-8")
    assert "sesame-open" not in line
    assert "ada:***@" in line


def test_a_word_that_stands_for_a_key_stays_in_answers(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    openai_server(brain={"fixed": "A dummy has no name."})
    monkeypatch.setenv("OPENAI_API_KEY", "dummy")
    assert asyncio.run(_ask("who?", ModelRuntime())) == "A dummy has no name."


def test_the_key_of_a_reranker_is_hidden_in_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RERANK_KEY", "rr-9d2f77c1")
    PathReranker(RerankModelConfig(model="m", base_url="http://localhost:1/v1", api_key_env="RERANK_KEY"), "memory")
    assert redact("refused: rr-9d2f77c1") == "refused: ***"

"""A language model over a real connection, cached, recorded and replayed: nothing asked twice, no key anywhere."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.replaying import ReplayLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.errors import ReplayMiss
from heta_framework.common.models.language.opening import open_language_model
from heta_framework.common.models.language.types import ModelOptions, ModelRequest
from heta_framework.common.models.settings import LanguageModelConfig


class River(BaseModel):
    """An answer in a given form."""

    name: str


class Longer(BaseModel):
    """Another form."""

    name: str
    length_km: int


def _requests() -> list[ModelRequest]:
    questions = [ModelRequest(prompt=f"question {n % 10}") for n in range(30)]
    variants = [
        ModelRequest(prompt="question 0", system_prompt="Be brief."),
        ModelRequest(prompt="question 0", options=ModelOptions(temperature=0.5)),
        ModelRequest(prompt="question 0", response_schema=River),
        ModelRequest(prompt="question 0", response_schema=Longer),
        ModelRequest(prompt="question 0", vote=1),
    ]
    return questions + variants


async def _texts(runtime: ModelRuntime, requests: list[ModelRequest]) -> list[str]:
    with using_runtime(runtime):
        model = open_language_model(LanguageModelConfig(model="openai:m"), role="judge")
        return [result.text for result in await asyncio.gather(*map(model.invoke, requests))]


def test_what_was_asked_once_is_never_asked_again(
    openai_server: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model_server import CANARY_KEY

    server = openai_server(brain="echo")

    async def session(name: str) -> list[str]:
        async with open_cache_layer(tmp_path / "cache") as cache, RecordingLayer.open(tmp_path / name) as recording:
            return await _texts(ModelRuntime(recording=recording, cache=cache), _requests())

    first = asyncio.run(session("first.jsonl.zst"))
    assert len(server.log.entries) == 15
    assert asyncio.run(session("second.jsonl")) == first
    assert len(server.log.entries) == 15
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")

    async def replayed(name: str, requests: list[ModelRequest]) -> list[str]:
        async with ReplayLayer.open(tmp_path / name) as cassette:
            runtime = ModelRuntime(recording=cassette, replaying=True)
            texts = await _texts(runtime, requests)
        assert runtime.meter.total["judge"].replayed == len(requests)
        assert runtime.meter.total["judge"].calls == 0
        return texts

    for name in ("first.jsonl.zst", "second.jsonl"):
        assert asyncio.run(replayed(name, _requests())) == first
    with pytest.raises(ReplayMiss, match=r"asked \"question 11\""):
        asyncio.run(replayed("second.jsonl", [ModelRequest(prompt="question 11")]))
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(written) >= 3
    assert all(CANARY_KEY.encode() not in file.read_bytes() for file in written)

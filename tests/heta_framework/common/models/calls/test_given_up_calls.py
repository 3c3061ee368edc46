"""A call that is cancelled while its request is under way counts as possibly billed, and stays cancelled."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import ModelRequestParameters

from heta_framework.common.models.calls import retry
from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.providers.chat import PathModel
from heta_framework.common.models.settings import LanguageModelConfig

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]


async def ask(**fields: Any) -> str | None:
    model = PathModel(LanguageModelConfig(**{"model": "openai:m", **fields}))
    return (await model.request([ModelRequest.user_text_prompt("hello")], None, ModelRequestParameters())).text


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what happens in the server's thread."""
    while not condition():  # noqa: ASYNC110 - there is nothing to be woken by
        await asyncio.sleep(0.01)


@pytest.mark.anyio
async def test_a_request_under_way_is_possibly_billed(openai_server: Start) -> None:
    server = openai_server(latency=30.0)
    runtime = ModelRuntime()
    with using_runtime(runtime), call_scope() as scope:
        asking = asyncio.create_task(ask())
        await until(lambda: server.log.concurrent > 0)
        asking.cancel()
        await asyncio.wait([asking])
    assert asking.cancelled()
    assert scope.usage["agent"].possibly_billed == 1
    assert scope.usage["agent"].calls == 0
    assert runtime.meter.total == scope.usage


@pytest.mark.anyio
async def test_a_scenarios_timeout_counts_all_attempts_so_far(
    openai_server: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.01)
    server = openai_server(faults=[{"fault": "disconnect", "times": 2}, "hang"])
    with using_runtime(ModelRuntime()), call_scope() as scope, pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await ask()
    assert (scope.usage["agent"].retries, scope.usage["agent"].possibly_billed) == (2, 3)
    await asyncio.sleep(0.1)
    assert server.summary().cut == 3


@pytest.mark.anyio
async def test_a_call_that_only_waits_costs_nothing(openai_server: Start) -> None:
    server = openai_server(latency=30.0)
    runtime = ModelRuntime()
    with using_runtime(runtime):
        first = asyncio.create_task(ask(max_concurrency=1))
        await until(lambda: server.log.concurrent > 0)
        with call_scope() as scope, pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await ask(max_concurrency=1)
        first.cancel()
        await asyncio.wait([first])
    assert scope.usage == {}


@pytest.mark.anyio
async def test_a_call_that_is_given_up_while_it_backs_off_counts_what_was_sent(openai_server: Start) -> None:
    server = openai_server(faults=["disconnect"])
    with using_runtime(ModelRuntime()), call_scope() as scope:
        asking = asyncio.create_task(ask())
        await until(lambda: server.summary().cut > 0)
        await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.wait([asking])
    assert (scope.usage["agent"].retries, scope.usage["agent"].possibly_billed) == (0, 1)


@pytest.mark.anyio
async def test_behind_a_cache_it_is_counted_too(openai_server: Start, tmp_path: Path) -> None:
    server = openai_server(latency=30.0)
    async with open_cache_layer(tmp_path) as cache:
        runtime = ModelRuntime(cache=cache)
        with using_runtime(runtime):
            asking = [asyncio.create_task(ask()) for _ in range(3)]
            await until(lambda: server.log.concurrent > 0)
            for task in asking:
                task.cancel()
            await asyncio.wait(asking)
            await asyncio.sleep(0.1)
    assert server.summary().requests == 1
    assert runtime.meter.total["agent"].possibly_billed == 1

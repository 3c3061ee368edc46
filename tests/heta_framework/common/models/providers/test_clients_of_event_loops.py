"""Connections: one client an endpoint and loop, wide enough for all calls, closed with the loop."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from heta_framework.common.models import LanguageModel, LanguageModelConfig, ModelRequest, open_language_model
from heta_framework.common.models.calls.limit import LimitLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.providers.opened import close_opened

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]


def model(**fields: Any) -> LanguageModel:
    return open_language_model(LanguageModelConfig(model="openai:gpt-4o-mini", **fields), role="agent")


async def client_of(asked: LanguageModel) -> Any:
    return (await asked._path._endpoint.here()).client


def test_models_of_one_endpoint_share_a_client(openai_server: Start) -> None:
    openai_server()

    async def clients() -> list[Any]:
        return [
            await client_of(asked)
            for asked in (model(), model(temperature=0.5), model(timeout_s=5), model(base_url="http://127.0.0.1:9/v1"))
        ]

    one, same, slower, elsewhere = asyncio.run(clients())
    assert one is same
    assert len({id(one), id(slower), id(elsewhere)}) == 3


def test_a_model_outlives_its_loop(openai_server: Start) -> None:
    openai_server(brain="echo")
    asked = model()

    async def ask() -> Any:
        assert (await asked.invoke(ModelRequest("hello"))).text == "hello"
        return await client_of(asked)

    first, second = asyncio.run(ask()), asyncio.run(ask())
    assert first is not second
    assert first.is_closed()
    assert second.is_closed()


def test_what_is_closed_is_opened_again(openai_server: Start) -> None:
    openai_server(brain="echo")

    async def run() -> tuple[bool, str]:
        asked = model()
        await asked.invoke(ModelRequest("one"))
        client = await client_of(asked)
        await close_opened()
        return client.is_closed(), (await asked.invoke(ModelRequest("two"))).text

    assert asyncio.run(run()) == (True, "two")


def test_two_hundred_calls_are_under_way_at_once(openai_server: Start) -> None:
    server = openai_server(brain="echo", latency=0.5)

    async def run() -> list[Any]:
        asked = model(max_concurrency=200)
        with using_runtime(ModelRuntime(limit=_AllAtOnce())):
            return await asked.invoke_many([ModelRequest(f"call {n}") for n in range(200)])

    assert [result.text for result in asyncio.run(run())] == [f"call {n}" for n in range(200)]
    assert server.log.summary().max_concurrent > 100


class _AllAtOnce(LimitLayer):
    """No limit of our own, so that only the client's pool could hold calls back."""

    async def __call__(self, call: Any, handle: Any) -> Any:
        return await handle(call)


SCRIPT = """
import asyncio, sys
from heta_framework.common.models import LanguageModel, ModelRequest

async def run():
    asked = LanguageModel(model_name="openai/gpt-4o-mini", api_base=sys.argv[1], api_key="none-needed")
    print((await asked.invoke(ModelRequest("goodbye"))).text)

asyncio.run(run())
"""


def test_a_program_ends_without_a_word_about_open_connections(openai_server: Start) -> None:
    server = openai_server(brain="echo")
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", SCRIPT, server.base_url],
        capture_output=True,
        text=True,
        check=False,
    )
    gc.collect()
    words = [line for line in done.stderr.splitlines() if not line.startswith("Executing ")]  # slow first imports
    assert (done.stdout, words, done.returncode) == ("goodbye\n", [], 0)

"""Against a real endpoint: limits and budgets are kept, refusals slow down everybody, and waiting can be seen."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import ModelRequestParameters

from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.providers.chat import PathModel
from heta_framework.common.models.settings import LanguageModelConfig

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]


def model_of(**fields: Any) -> PathModel:
    return PathModel(LanguageModelConfig(**{"model": "openai:m", **fields}))


async def ask(model: PathModel, text: str) -> str | None:
    return (await model.request([ModelRequest.user_text_prompt(text)], None, ModelRequestParameters())).text


async def ask_all(model: PathModel, count: int, runtime: ModelRuntime) -> list[str | None]:
    with using_runtime(runtime):
        return await asyncio.gather(*[ask(model, f"question {number}") for number in range(count)])


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what happens in the server's thread."""
    while not condition():  # noqa: ASYNC110 - there is nothing to be woken by
        await asyncio.sleep(0.01)


def texts(count: int) -> list[str | None]:
    return [f"question {number}" for number in range(count)]


def test_as_many_as_are_allowed_are_under_way_at_once_and_no_more(openai_server: Start) -> None:
    server = openai_server(brain="echo", latency=0.3)
    assert asyncio.run(ask_all(model_of(max_concurrency=8), 32, ModelRuntime())) == texts(32)
    assert server.summary().max_concurrent == 8


def test_calls_begin_in_the_order_in_which_they_were_made(openai_server: Start) -> None:
    server = openai_server(brain="echo", latency=0.01)
    asyncio.run(ask_all(model_of(max_concurrency=1), 20, ModelRuntime()))
    asked = [entry.body["messages"][0]["content"] for entry in server.log.entries]
    assert asked == texts(20)


def test_models_of_the_same_endpoint_with_different_limits_keep_their_own(openai_server: Start) -> None:
    server = openai_server(brain="echo", latency=0.2)
    wide, narrow = model_of(max_concurrency=10), model_of(max_concurrency=2)

    async def run() -> None:
        runtime = ModelRuntime()
        await ask_all(narrow, 6, runtime)
        assert server.summary().max_concurrent == 2
        await ask_all(wide, 20, runtime)

    asyncio.run(run())
    assert server.summary().max_concurrent == 10


def test_a_quota_of_concurrent_requests_is_learned(openai_server: Start) -> None:
    server = openai_server(brain="echo", latency=0.1, quotas=[{"concurrent": 10}])
    runtime = ModelRuntime()
    assert asyncio.run(ask_all(model_of(max_concurrency=60), 200, runtime)) == texts(200)
    refused = [entry.number for entry in server.log.entries if entry.outcome == "refused"]
    assert len([number for number in refused if number > 100]) <= 10
    assert runtime.activity().retries == len(refused)


def test_requests_per_minute_hold(openai_server: Start) -> None:
    server = openai_server(brain="echo")
    began = time.monotonic()
    assert asyncio.run(ask_all(model_of(requests_per_minute=600), 40, ModelRuntime())) == texts(40)
    assert time.monotonic() - began >= (40 - 30) / 10  # a burst of 30 is allowed, and 10 a second after it
    assert server.summary().requests == 40


def test_tokens_per_minute_hold_and_are_corrected_by_what_was_taken(openai_server: Start) -> None:
    """Words are tokens here: answers of 500 words use up the budget that the short questions seemed to leave."""
    openai_server(brain={"fixed": "word " * 500})
    began = time.monotonic()
    asyncio.run(ask_all(model_of(tokens_per_minute=24_000, max_concurrency=1), 5, ModelRuntime()))
    assert time.monotonic() - began >= (4 * 500 - 1_200) / 400


def test_retry_after_pauses_everybody(openai_server: Start) -> None:
    fault = {"kind": "rate_limited", "retry_after": 0.6}
    server = openai_server(brain="echo", faults=[{"fault": fault, "times": 1, "text": "question 0"}], latency=0.2)
    assert asyncio.run(ask_all(model_of(max_concurrency=2), 10, ModelRuntime())) == texts(10)
    refused = next(entry for entry in server.log.entries if entry.outcome == "refused")
    assert refused.ended is not None
    later = [entry.arrived for entry in server.log.entries if entry.arrived > refused.ended + 0.1]
    assert min(later) >= refused.ended + 0.6


@pytest.mark.anyio
async def test_waiting_can_be_seen(openai_server: Start) -> None:
    server = openai_server(brain="echo", faults=[{"fault": {"kind": "rate_limited", "retry_after": 30}}])
    runtime = ModelRuntime()
    asking = asyncio.create_task(ask_all(model_of(max_concurrency=3), 9, runtime))
    await until(lambda: server.summary().refused == 3)
    await asyncio.sleep(0.1)
    seen = runtime.activity()
    assert (seen.in_flight, seen.retries) == (0, 0)
    assert seen.waiting_for_slot + seen.waiting_to_send + seen.backing_off == 9
    assert seen.backing_off >= 1
    assert 25 < seen.paused_s <= 30
    asking.cancel()
    await asyncio.wait([asking])
    quiet = runtime.activity()
    assert (quiet.waiting_for_slot, quiet.waiting_to_send, quiet.backing_off, quiet.in_flight) == (0, 0, 0, 0)


def test_one_runtime_serves_several_event_loops(openai_server: Start) -> None:
    openai_server(brain="echo", latency=0.02)
    model, runtime = model_of(max_concurrency=3), ModelRuntime()
    for _ in range(3):
        assert asyncio.run(ask_all(model, 9, runtime)) == texts(9)
    assert runtime.meter.total["agent"].calls == 27


def test_a_loop_that_ends_in_the_middle_leaves_nothing_occupied(openai_server: Start) -> None:
    server = openai_server(brain="echo", latency=30.0)
    model, runtime = model_of(max_concurrency=2), ModelRuntime()

    async def abandon() -> None:
        asking = asyncio.create_task(ask_all(model, 6, runtime))
        await until(lambda: server.log.concurrent == 2)
        assert not asking.done()

    asyncio.run(abandon())
    server.play(latency=0.0)
    assert asyncio.run(ask_all(model, 6, runtime)) == texts(6)


def test_calls_that_fail_for_good_give_their_slots_back(openai_server: Start) -> None:
    server = openai_server(brain="echo", faults=[{"fault": "context_length", "text": "question [0-4]"}])
    model, runtime = model_of(max_concurrency=2), ModelRuntime()

    async def run() -> list[Any]:
        with using_runtime(runtime):
            asked = [ask(model, f"question {number}") for number in range(10)]
            return await asyncio.gather(*asked, return_exceptions=True)

    outcomes = asyncio.run(run())
    assert [isinstance(outcome, CallFailed) for outcome in outcomes] == [True] * 5 + [False] * 5
    assert server.summary().requests == 10

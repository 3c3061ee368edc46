"""The gateway over real HTTP: an OpenAI client on one side, the local model server on the other."""

import asyncio
import base64
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import CANARY_KEY, LocalServer, Reply, ToolCall
from openai import APIStatusError, AsyncOpenAI

from heta_framework.common.models.calls.call import ModelReply
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import CallScope, call_scope
from heta_framework.common.models.errors import CallFailed, CostLimitReached, ModelSetupError
from heta_framework.common.models.gateway import Gateway, Seat, SeatModels
from heta_framework.common.models.gateway import app as gateway_app
from heta_framework.common.models.gateway.stable_ids import StableIds
from heta_framework.common.models.settings import (
    EmbeddingModelConfig,
    LanguageModelConfig,
    Prices,
    RerankModelConfig,
)

Start = Callable[..., LocalServer]
PRICES = Prices(input=1.0, output=2.0)
LLM = LanguageModelConfig(model="openai:tiny", prices=PRICES, max_attempts=3)
EMBEDDING = EmbeddingModelConfig(model="openai:embed-tiny", prices=PRICES, max_attempts=2)
ASKED: list[dict[str, Any]] = [{"role": "user", "content": "one two three"}]


@asynccontextmanager
async def seated(models: SeatModels) -> AsyncIterator[tuple[Seat, AsyncOpenAI]]:
    """A seat with a client that behaves as libraries' clients do by default."""
    async with Gateway() as gateway:
        seat = gateway.seat(models)
        async with AsyncOpenAI(api_key=seat.api_key, base_url=seat.base_url) as client:
            yield seat, client


def played(work: Callable[[Seat, AsyncOpenAI], Awaitable[Any]], models: SeatModels | None = None) -> Any:
    """Run ``work`` at a seat."""

    async def run() -> Any:
        async with seated(models or SeatModels(LLM, EMBEDDING)) as (seat, client):
            return await work(seat, client)

    return asyncio.run(run())


async def chat(client: AsyncOpenAI, text: str = "one two three", **fields: Any) -> str | None:
    reply = await client.chat.completions.create(
        model="whatever", messages=[{"role": "user", "content": text}], **fields
    )
    return reply.choices[0].message.content


def test_calls_are_counted_for_the_task_that_began_the_operation(openai_server: Start) -> None:
    server = openai_server()

    async def work(seat: Seat, client: AsyncOpenAI) -> CallScope:
        with call_scope() as scope:
            async with seat.operation():
                assert await chat(client) == "one two three"
                await client.embeddings.create(model="any", input=["four five"])
        return scope

    usage = played(work).usage
    assert usage["memory"].calls == 1
    assert usage["memory"].input_tokens == 3
    assert usage["memory"].output_tokens == 3
    assert usage["memory"].cost_usd == pytest.approx(9e-6)
    assert usage["embedding"].calls == 1
    assert usage["embedding"].input_tokens == 2
    assert server.summary().whole.calls == 2


def test_model_key_and_sampling_are_those_of_the_configuration(openai_server: Start) -> None:
    server = openai_server()
    options = {"reasoning_effort": "low", "presence_penalty": None}
    config = LanguageModelConfig(
        model="openai:tiny", temperature=0, seed=7, max_tokens=9, provider_options=options, prices=PRICES
    )

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        async with seat.operation():
            await chat(client, temperature=1, max_completion_tokens=999, presence_penalty=1, user="somebody")

    played(work, SeatModels(config))
    entry = server.log.entries[0]
    assert entry.headers["Authorization"] == f"Bearer {CANARY_KEY}"
    assert entry.body == {
        "messages": ASKED,
        "model": "tiny",
        "temperature": 0,
        "seed": 7,
        "max_completion_tokens": 9,
        "reasoning_effort": "low",
    }


def test_a_stream_amounts_to_the_whole_reply(openai_server: Start) -> None:
    server = openai_server(
        brain={"fixed": Reply(text="so be it", tool_calls=(ToolCall(name="save", arguments={"a": 1}),))}
    )

    async def work(seat: Seat, client: AsyncOpenAI) -> list[Any]:
        async with seat.operation():
            stream = await client.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": "x"}],
                stream=True,
                stream_options={"include_usage": True},
            )
            return [chunk async for chunk in stream]

    chunks = played(work)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == "so be it"
    assert [call.function.name for delta in deltas for call in delta.tool_calls or ()] == ["save"]
    assert chunks[-1].usage.prompt_tokens == 1
    assert "stream" not in server.log.entries[0].body


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_vectors_come_in_the_encoding_that_was_asked_for(openai_server: Start, encoding: str) -> None:
    openai_server(dimensions=8)

    async def work(seat: Seat, client: AsyncOpenAI) -> tuple[Any, Any]:
        async with seat.operation(), httpx.AsyncClient() as plain:
            body = {"model": "m", "input": "two words", "encoding_format": encoding}
            raw = (await plain.post(f"{seat.base_url}/embeddings", json=body)).json()["data"][0]["embedding"]
            read = (await client.embeddings.create(model="m", input="two words")).data[0].embedding
            return raw, read

    raw, read = played(work)
    found = list(struct.unpack("<8f", base64.b64decode(raw))) if encoding == "base64" else raw
    assert found == pytest.approx(read, rel=1e-6)


def test_wordllama_needs_no_endpoint() -> None:
    async def work(seat: Seat, client: AsyncOpenAI) -> Any:
        with call_scope() as scope:
            async with seat.operation():
                return await client.embeddings.create(model="m", input=["a cat", "a dog"]), scope.usage

    reply, usage = played(work, SeatModels(embedding="wordllama"))
    assert [len(item.embedding) for item in reply.data] == [256, 256]
    assert usage == {}


def test_documents_are_ordered(openai_server: Start) -> None:
    openai_server()

    async def work(seat: Seat, _: AsyncOpenAI) -> Any:
        async with seat.operation(), httpx.AsyncClient() as plain:
            body = {"model": "m", "query": "red box", "documents": ["a blue sea", "the red box"], "top_n": 1}
            return (await plain.post(f"{seat.base_url}/rerank", json=body)).json()

    assert played(work, SeatModels(rerank=RerankModelConfig(model="openai:r")))["results"][0]["index"] == 1


def test_a_failure_is_told_once_and_raised_whatever_the_library_makes_of_it(openai_server: Start) -> None:
    server = openai_server(faults=({"fault": "server_error"},))

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        with pytest.raises(CallFailed, match="500") as failure:  # noqa: PT012
            async with seat.operation():
                for _ in range(3):
                    with pytest.raises(APIStatusError):
                        await chat(client)
        assert failure.value.retries == 2

    played(work)
    assert server.summary().requests == LLM.max_attempts


def test_a_failure_is_raised_in_place_of_what_the_library_raises(openai_server: Start) -> None:
    openai_server(faults=({"fault": "context_length"},))

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        with pytest.raises(CallFailed, match="400"):
            async with seat.operation():
                await chat(client)
        async with seat.operation():
            pass

    played(work)


@pytest.mark.parametrize("kind", ["malformed_json", "no_choices", "empty_choices", "null_content", "html", "cut"])
def test_a_reply_that_cannot_be_used_is_asked_for_again(openai_server: Start, kind: str) -> None:
    server = openai_server(faults=({"fault": kind, "times": 1},))

    async def work(seat: Seat, client: AsyncOpenAI) -> CallScope:
        with call_scope() as scope:
            async with seat.operation():
                assert await chat(client) == "one two three"
        return scope

    usage = played(work).usage["memory"]
    assert (usage.calls, usage.retries, usage.possibly_billed) == (1, 1, 1)
    assert server.summary().requests == 2


@pytest.mark.parametrize(
    ("fault", "requests", "billed"),
    [("insufficient_quota", 1, 0), ("unauthorised", 1, 0), ("rate_limited", 3, 0), ("disconnect", 3, 3)],
)
def test_only_what_may_pass_is_tried_again(openai_server: Start, fault: str, requests: int, billed: int) -> None:
    server = openai_server(faults=({"fault": {"kind": fault, "retry_after_ms": 5}},))

    async def work(seat: Seat, client: AsyncOpenAI) -> CallFailed:
        with pytest.raises(CallFailed) as failure:
            async with seat.operation():
                await chat(client)
        return failure.value

    failure = played(work)
    assert server.summary().requests == requests
    assert failure.attempts_possibly_billed == billed
    assert CANARY_KEY not in str(failure)


def test_the_cost_limit_ends_the_operation(openai_server: Start) -> None:
    openai_server()
    runtime = ModelRuntime(meter=MeterLayer(max_cost_usd=1e-9))

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        async with seat.operation():
            await chat(client)
        with pytest.raises(CostLimitReached):
            async with seat.operation():
                await chat(client)

    with using_runtime(runtime):
        played(work)


def test_a_question_repeated_within_an_operation_is_another_call(openai_server: Start) -> None:
    openai_server()
    seen: list[str] = []

    class Watch:
        async def __call__(self, call: Any, handle: Callable[[Any], Awaitable[ModelReply]]) -> ModelReply:
            seen.append(call.epoch)
            return await handle(call)

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        for _ in range(2):
            async with seat.operation():
                await chat(client)
                await chat(client)

    with using_runtime(ModelRuntime(cache=Watch())), call_scope(CallScope("3")):
        played(work)
    assert seen == ["3", "3.1", "3", "3.1"]


def test_ids_drawn_at_random_do_not_make_questions_new(openai_server: Start) -> None:
    server = openai_server()
    one, other = "0fd1c1de-5f64-4f5a-9b0c-2f1f52c1a001", "93f1c1de5f644f5a9b0c2f1f52c1a002"

    async def work(seat: Seat, client: AsyncOpenAI) -> list[str | None]:
        texts = [f"{one} and {other}, {one}", f"{other} and {one.replace('-', '')}"]
        said = []
        for text in texts:
            async with seat.operation():
                said.append(await chat(client, text))
        return said

    said = played(work, SeatModels(LLM, renumber_ids=True))
    assert said == [f"{one} and {other}, {one}", f"{other} and {one.replace('-', '')}"]
    sent = [entry.body["messages"][0]["content"] for entry in server.log.entries]
    assert one not in sent[0]
    assert sent[0].split(" and ")[0].replace("-", "") == sent[1].split(" and ")[0]


def test_ids_listed_in_a_random_order_do_not_make_questions_new() -> None:
    ids = ("0fd1c1de-5f64-4f5a-9b0c-2f1f52c1a001", "93f1c1de5f644f5a9b0c2f1f52c1a002", "a" * 32)
    texts = [f"{ids[0]} {ids[1]} {ids[2]}; one of {order!r}" for order in (ids, ids[::-1])]
    assert len({StableIds().renumbered(text) for text in texts}) == 1
    renumbering = StableIds()
    renumbering.renumbered(texts[0])
    assert renumbering.restored(renumbering.renumbered(texts[0])).startswith(texts[0].partition(";")[0])


@given(st.text("0123456789abcdef-' ,x", max_size=120))
def test_renumbering_is_taken_back_whole(text: str) -> None:
    ids = StableIds()
    if "', '" not in text:
        assert ids.restored(ids.renumbered(text)) == text


def test_calls_outside_of_an_operation_are_refused(openai_server: Start) -> None:
    server = openai_server()

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        with pytest.raises(APIStatusError, match="no operation is in progress"):
            await chat(client)

    played(work)
    assert server.summary().requests == 0


def test_ending_an_operation_gives_up_its_calls(openai_server: Start) -> None:
    server = openai_server(latency=30)

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        async with seat.operation() as operation:
            calling = asyncio.create_task(chat(client))
            while not server.log.concurrent:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            operation.end()
            with pytest.raises(APIStatusError, match="given up"):
                await calling

    played(work)


def test_what_is_not_offered_is_refused(monkeypatch: pytest.MonkeyPatch, openai_server: Start) -> None:
    openai_server()
    monkeypatch.setattr(gateway_app, "MAX_BODY_BYTES", 1000)

    async def work(seat: Seat, _: AsyncOpenAI) -> dict[str, int]:
        root = seat.base_url.removesuffix("/v1").rpartition("/")[0]
        here = seat.base_url
        body = {"model": "m", "messages": ASKED}
        async with httpx.AsyncClient() as plain:
            asked = {
                "seat": plain.post(f"{root}/nobody/v1/chat/completions", json=body),
                "path": plain.post(f"{here}/images", json=body),
                "method": plain.get(f"{here}/embeddings"),
                "model": plain.post(f"{here}/embeddings", json={"input": "x"}),
                "host": plain.post(f"{here}/chat/completions", json=body, headers={"Host": "evil.example"}),
                "json": plain.post(f"{here}/chat/completions", content=b"{"),
                "form": plain.post(f"{here}/chat/completions", json=[1]),
                "messages": plain.post(f"{here}/chat/completions", json={"messages": "hi"}),
                "size": plain.post(f"{here}/chat/completions", content=b" " * 1001),
            }
            return {name: (await answer).status_code for name, answer in asked.items()}

    assert played(work, SeatModels(LLM)) == {
        "seat": 404,
        "path": 404,
        "method": 405,
        "model": 404,
        "host": 400,
        "json": 400,
        "form": 400,
        "messages": 400,
        "size": 413,
    }


def test_token_ids_are_no_texts(openai_server: Start) -> None:
    openai_server()

    async def work(seat: Seat, client: AsyncOpenAI) -> None:
        async with seat.operation():
            with pytest.raises(APIStatusError, match="list of texts"):
                await client.embeddings.create(model="m", input=[1, 2, 3])

    played(work)


def test_a_seat_that_was_left_is_gone(openai_server: Start) -> None:
    openai_server()

    async def run() -> int:
        async with Gateway() as gateway, httpx.AsyncClient() as plain:
            seat = gateway.seat(SeatModels(LLM))
            gateway.leave(seat)
            return (await plain.post(f"{seat.base_url}/chat/completions", json={"messages": ASKED})).status_code

    assert asyncio.run(run()) == 404


def test_models_that_cannot_be_called_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    async def run(model: str) -> None:
        async with Gateway() as gateway:
            gateway.seat(SeatModels(LanguageModelConfig(model=model)))

    with pytest.raises(ModelSetupError, match="OpenAI-compatible"):
        asyncio.run(run("anthropic:claude"))
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY"):
        asyncio.run(run("openai:tiny"))

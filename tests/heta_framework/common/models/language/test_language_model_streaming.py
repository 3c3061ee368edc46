"""Streamed answers: pieces as they come, metered as one whole, and honest about a reply that breaks off."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from heta_framework.common.models import (
    LanguageModel,
    LanguageModelConfig,
    ModelRequest,
    ModelResponseError,
    open_language_model,
)
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]
WORDS = " ".join(f"word{n}" for n in range(40))


def model(**fields: Any) -> LanguageModel:
    return open_language_model(LanguageModelConfig(model="openai:gpt-4o-mini", **fields), role="agent")


async def pieces(asked: LanguageModel, request: ModelRequest) -> list[Any]:
    return [chunk async for chunk in asked.stream(request)]


def metered(asked: LanguageModel, request: ModelRequest) -> tuple[list[Any], Any, Exception | None]:
    async def run() -> tuple[list[Any], Any, Exception | None]:
        chunks: list[Any] = []
        with call_scope() as scope:
            try:
                async for chunk in asked.stream(request):
                    chunks.append(chunk)  # noqa: PERF401 - what came before a failure counts
            except ModelResponseError as error:
                return chunks, scope.usage["agent"], error
        return chunks, scope.usage["agent"], None

    return asyncio.run(run())


def test_pieces_make_the_whole_and_the_reason_comes_last(openai_server: Start) -> None:
    openai_server(brain="echo")
    chunks, usage, _ = metered(model(), ModelRequest(WORDS))
    assert "".join(chunk.text for chunk in chunks) == WORDS
    assert len(chunks) > 5
    assert [chunk.finish_reason for chunk in chunks if chunk.finish_reason] == ["stop"]
    assert chunks[-1].finish_reason == "stop"
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 40, 40)


def test_the_first_piece_comes_before_the_last_is_sent(openai_server: Start) -> None:
    server = openai_server(brain="echo", faults=[{"kind": "trickle", "interval": 0.05}])

    async def first_then_rest() -> tuple[bool, list[Any]]:
        stream = model().stream(ModelRequest(WORDS))
        first = await anext(stream)
        under_way = server.log.summary().whole.calls == 0
        return under_way, [first, *[chunk async for chunk in stream]]

    under_way, chunks = asyncio.run(first_then_rest())
    assert under_way
    assert "".join(chunk.text for chunk in chunks) == WORDS


@pytest.mark.parametrize(
    "fault", [{"kind": "cut", "part": 0.5}, {"kind": "short_stream"}, {"kind": "stream_error", "part": 0.5}]
)
def test_a_break_after_the_first_piece_is_an_error(openai_server: Start, fault: Any) -> None:
    server = openai_server(brain="echo", faults=[{"fault": fault, "times": 1}])
    chunks, usage, error = metered(model(), ModelRequest(WORDS))
    assert chunks
    assert error is not None
    assert server.log.summary().requests == 1, "what was handed on cannot be taken back by a second attempt"
    assert (usage.calls, usage.possibly_billed) == (0, 1)


@pytest.mark.parametrize("fault", [{"kind": "cut", "part": 0.0}, {"kind": "disconnect"}, {"kind": "rate_limited"}])
def test_a_break_before_the_first_piece_is_tried_again(openai_server: Start, fault: Any) -> None:
    openai_server(brain="echo", faults=[{"fault": fault, "times": 1}])
    chunks, usage, error = metered(model(), ModelRequest(WORDS))
    assert error is None
    assert "".join(chunk.text for chunk in chunks) == WORDS
    assert (usage.calls, usage.retries) == (1, 1)


def test_a_reply_slower_than_an_attempt_may_be_is_not_started_again(openai_server: Start) -> None:
    server = openai_server(brain="echo", faults=[{"kind": "trickle", "interval": 0.3}])
    chunks, _, error = metered(model(timeout_s=0.8, max_attempts=2), ModelRequest(WORDS))
    assert chunks
    assert "broke off after its first piece" in str(error)
    assert server.log.summary().requests == 1


def test_whoever_stops_listening_ends_the_call(openai_server: Start) -> None:
    server = openai_server(brain="echo", faults=[{"kind": "trickle", "interval": 0.02}])

    async def one_piece() -> str:
        stream = model().stream(ModelRequest(WORDS))
        text = (await anext(stream)).text
        await stream.aclose()  # type: ignore[attr-defined]
        return text

    assert asyncio.run(one_piece())
    assert server.log.summary().whole.calls == 0


class _Kept:
    """The simplest cache."""

    def __init__(self) -> None:
        self.replies: dict[str, ModelReply] = {}

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        if call.key not in self.replies:
            self.replies[call.key] = await handle(call)
        return self.replies[call.key]


def test_a_kept_reply_streams_its_text_and_serves_plain_requests_too(openai_server: Start) -> None:
    server = openai_server(brain="echo")
    asked, request = model(), ModelRequest(WORDS)

    async def thrice() -> tuple[list[Any], list[Any], str]:
        with using_runtime(ModelRuntime(cache=_Kept())):
            return (
                await pieces(asked, request),
                await pieces(asked, request),
                (await asked.invoke(request)).text,
            )

    first, second, third = asyncio.run(thrice())
    assert "".join(chunk.text for chunk in first) == WORDS
    assert [(chunk.text, chunk.finish_reason) for chunk in second] == [(WORDS, "stop")]
    assert third == WORDS
    assert server.log.summary().requests == 1

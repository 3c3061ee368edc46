"""What was answered once is answered from disk, exactly then; errors never are."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.cache_statistics import cache_statistics
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.errors import CallFailed

MakeDesk = Any


def _ask(directory: Path, *calls: ModelCall, ask: Callable[..., Any]) -> list[ModelReply]:
    """Ask one after the other, with a cache opened for it."""

    async def main() -> list[ModelReply]:
        async with open_cache_layer(directory) as cache:
            return [await cache(call, ask) for call in calls]

    return asyncio.run(main())


def test_a_second_session_asks_nothing_and_tells_the_same(tmp_path: Path, desk: MakeDesk) -> None:
    (first,) = _ask(tmp_path, desk.call(), ask=desk.ask)
    assert (first.source, first.retries, first.possibly_billed) == ("provider", 2, 1)
    (again,) = _ask(tmp_path, desk.call(), ask=desk.ask)
    assert again == ModelReply(
        body=first.body, input_tokens=11, output_tokens=7, cached_tokens=3, seconds=0.5, source="cache"
    )
    assert desk.asked == ["hello"]


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "hello "},
        {"epoch": "1"},
        {"model": "openai:n"},
        {"base_url": "http://localhost:1/v1"},
        {"settings": {"temperature": 0.1}},
        {"settings": {"temperature": 0.0, "seed": 1}},
        {"kind": "rerank"},
    ],
)
def test_what_is_not_equal_is_asked(tmp_path: Path, desk: MakeDesk, changed: dict[str, Any]) -> None:
    _ask(tmp_path, desk.call(), desk.call(**changed), ask=desk.ask)
    assert len(desk.asked) == 2


def test_errors_are_not_kept(tmp_path: Path, desk: MakeDesk) -> None:
    async def refuse(text: str) -> ModelReply:
        raise CallFailed("no", status=400)

    desk.answer = refuse
    for _ in range(2):
        with pytest.raises(CallFailed, match="no"):
            _ask(tmp_path, desk.call(), ask=desk.ask)
    desk.answer = desk.reply
    (reply,) = _ask(tmp_path, desk.call(), ask=desk.ask)
    assert reply.source == "provider"
    assert len(desk.asked) == 3


@pytest.mark.parametrize("body", ["\ud800 lone", {"\udfff": [1.5, None, True, -0.0]}, "x" * 300_000, [], None])
def test_any_body_comes_back_as_it_was(tmp_path: Path, desk: MakeDesk, body: Any) -> None:
    async def answer(text: str) -> ModelReply:
        return ModelReply(body=body)

    desk.answer = answer
    replies = _ask(tmp_path, desk.call("\ud800"), desk.call("\ud800"), ask=desk.ask)
    assert [repr(reply.body) for reply in replies] == [repr(body)] * 2
    assert [reply.input_tokens for reply in replies] == [None, None]
    assert [reply.source for reply in replies] == ["provider", "cache"]


def test_equal_calls_at_one_moment_ask_once_and_share_nothing_that_changes(tmp_path: Path, desk: MakeDesk) -> None:
    async def main() -> list[ModelReply]:
        async with open_cache_layer(tmp_path) as cache:
            return await asyncio.gather(*(cache(desk.call(), desk.ask) for _ in range(50)))

    replies = asyncio.run(main())
    assert desk.asked == ["hello"]
    assert sorted(reply.source for reply in replies) == ["cache"] * 49 + ["provider"]
    assert sum(reply.retries for reply in replies) == 2
    assert sum(reply.possibly_billed for reply in replies) == 1
    assert len({id(reply.body) for reply in replies}) == 50
    (model,) = cache_statistics(tmp_path).models
    assert (model.entries, model.hits, model.saved_input_tokens, model.saved_output_tokens) == (1, 49, 539, 343)


def test_a_failure_is_shared_and_counted_once(tmp_path: Path, desk: MakeDesk) -> None:
    async def refuse(text: str) -> ModelReply:
        await asyncio.sleep(0.01)
        failure = CallFailed("busy", status=503, retryable=True, retry_after=3.0, throttled=True)
        failure.retries, failure.attempts_possibly_billed = 5, 4
        raise failure

    async def main() -> list[Any]:
        async with open_cache_layer(tmp_path) as cache:
            return await asyncio.gather(*(cache(desk.call(), desk.ask) for _ in range(3)), return_exceptions=True)

    desk.answer = refuse
    failures = asyncio.run(main())
    assert desk.asked == ["hello"]
    assert all(isinstance(failure, CallFailed) for failure in failures)
    assert {(failure.status, failure.retry_after, failure.throttled, str(failure)) for failure in failures} == {
        (503, 3.0, True, "busy")
    }
    assert sorted(failure.retries for failure in failures) == [0, 0, 5]
    assert sorted(failure.attempts_possibly_billed for failure in failures) == [0, 0, 4]


def test_whoever_asked_first_may_go_and_the_reply_is_still_counted_once(tmp_path: Path, desk: MakeDesk) -> None:
    async def main() -> list[Any]:
        asked, arrived = asyncio.Event(), asyncio.Event()

        async def slow(text: str) -> ModelReply:
            asked.set()
            await arrived.wait()
            return await desk.reply(text)

        desk.answer = slow
        async with open_cache_layer(tmp_path) as cache:
            asking = [asyncio.create_task(cache(desk.call(), desk.ask)) for _ in range(3)]
            await asked.wait()
            asking[0].cancel()
            await asyncio.sleep(0)
            arrived.set()
            return await asyncio.gather(*asking, return_exceptions=True)

    first, *others = asyncio.run(main())
    assert isinstance(first, asyncio.CancelledError)
    assert sorted(reply.source for reply in others) == ["cache", "provider"]
    assert desk.asked == ["hello"]


@pytest.mark.parametrize("failure", [CallFailed("closed"), RuntimeError("the client has been closed")])
def test_when_the_first_asker_took_the_connection_along_the_others_ask_themselves(
    tmp_path: Path, desk: MakeDesk, failure: Exception
) -> None:
    async def main() -> list[Any]:
        asked, closed = asyncio.Event(), asyncio.Event()

        async def first_is_closed(text: str) -> ModelReply:
            if len(desk.asked) == 1:
                asked.set()
                await closed.wait()
                raise failure
            return await desk.reply(text)

        desk.answer = first_is_closed
        async with open_cache_layer(tmp_path) as cache:
            asking = [asyncio.create_task(cache(desk.call(), desk.ask)) for _ in range(3)]
            await asked.wait()
            asking[0].cancel()
            await asyncio.sleep(0)
            closed.set()
            return await asyncio.gather(*asking, return_exceptions=True)

    first, *others = asyncio.run(main())
    assert isinstance(first, asyncio.CancelledError)
    assert sorted(reply.source for reply in others) == ["cache", "provider"]
    assert len(desk.asked) == 2


def test_hundreds_of_tasks_at_once(tmp_path: Path, desk: MakeDesk) -> None:
    async def main() -> None:
        async with open_cache_layer(tmp_path) as cache:
            for source in ("provider", "cache"):
                replies = await asyncio.gather(*(cache(desk.call(f"n{n}"), desk.ask) for n in range(400)))
                assert [reply.body["text"] for reply in replies] == [f"to n{n}" for n in range(400)]
                assert {reply.source for reply in replies} == {source}

    asyncio.run(main())
    assert len(desk.asked) == 400


def test_what_decides_nothing_is_not_stored(tmp_path: Path, desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "canary-5f2e")
    _ask(tmp_path, desk.call(api_key_env="MY_KEY", base_url="http://user:canary-5f2e@localhost/v1"), ask=desk.ask)
    assert all(b"canary-5f2e" not in file.read_bytes() for file in tmp_path.iterdir())

"""Each fault of the local OpenAI-compatible server really reaches the client as that fault."""

import asyncio
import time

import httpx
import httpx2
import openai
import pytest
from asking import BODY, CHAT, TLS, Start, by_sdk, post
from model_server import CANARY_KEY, LocalServer

LONG = {"fixed": " ".join(f"word{n}" for n in range(60))}


@pytest.mark.parametrize(
    ("kind", "status", "code", "error"),
    [
        ("rate_limited", 429, "rate_limit_exceeded", openai.RateLimitError),
        ("insufficient_quota", 429, "insufficient_quota", openai.RateLimitError),
        ("server_error", 500, None, openai.InternalServerError),
        ("unauthorised", 401, "invalid_api_key", openai.AuthenticationError),
        ("context_length", 400, "context_length_exceeded", openai.BadRequestError),
        ("model_not_found", 404, "model_not_found", openai.NotFoundError),
    ],
)
def test_refusals(openai_server: Start, kind: str, status: int, code: str | None, error: type[Exception]) -> None:
    server = openai_server(faults=[kind])
    reply = post(server)
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
    with pytest.raises(error):
        by_sdk()
    assert [entry.outcome for entry in server.log.entries] == ["refused", "refused"]
    assert server.log.entries[0].status == status


def test_retry_after_in_seconds_in_milliseconds_or_not_at_all(openai_server: Start) -> None:
    limited = {"kind": "rate_limited"}
    rules = [{"fault": limited | extra, "times": 1} for extra in ({"retry_after": 2}, {"retry_after_ms": 150}, {})]
    server = openai_server(faults=rules)
    headers = [post(server).headers for _ in rules]
    assert [h.get("retry-after") for h in headers] == ["2", None, None]
    assert [h.get("retry-after-ms") for h in headers] == [None, "150", None]
    assert post(server).status_code == 200


def test_the_status_of_server_errors_is_settable(openai_server: Start) -> None:
    server = openai_server(
        faults=[
            {"fault": {"kind": "server_error", "status": 503}, "times": 1},
            {"fault": {"kind": "html", "status": 502}},
        ]
    )
    replies = [post(server), post(server)]
    assert [reply.status_code for reply in replies] == [503, 502]
    assert replies[1].headers["content-type"].startswith("text/html")
    assert server.summary().refused == 2


def test_401_repeats_the_key(openai_server: Start) -> None:
    server = openai_server(api_key="sk-another")
    assert CANARY_KEY in post(server).json()["error"]["message"]


@pytest.mark.parametrize(
    ("kind", "stream", "error"),
    [
        ("disconnect", False, "without sending a response"),
        ("reset", False, "reset by peer"),
        ("cut", False, "incomplete|without sending complete"),
        ("disconnect", True, "without sending a response"),
        ("cut", True, "incomplete chunked read"),
        ("short_stream", False, "without sending complete"),
    ],
)
def test_cuts(openai_server: Start, kind: str, stream: bool, error: str) -> None:
    server = openai_server(brain=LONG, faults=[kind])
    with pytest.raises(httpx.TransportError, match=error):
        post(server, stream=stream)
    with pytest.raises((openai.APIConnectionError, httpx2.TransportError)):
        by_sdk(stream=stream)
    entries = server.quiet().entries
    assert [(entry.outcome, entry.why) for entry in entries] == [("cut", kind)] * 2
    assert server.summary().whole.calls == 0


def test_a_stream_can_end_early_in_good_order(openai_server: Start) -> None:
    server = openai_server(faults=["short_stream"])
    text = post(server, stream=True, stream_options={"include_usage": True}).text
    assert text.startswith("data: {")
    assert "[DONE]" not in text
    assert 'finish_reason": "stop' not in text
    assert "usage" not in text
    assert by_sdk(stream=True)
    assert server.quiet().summary().cut == 2


def test_a_stream_can_break_with_an_error_event(openai_server: Start) -> None:
    server = openai_server(faults=["stream_error"])
    with pytest.raises(openai.APIError, match="had an error"):
        by_sdk(stream=True)
    assert server.quiet().summary().cut == 1


def test_hanging_until_the_client_gives_up(openai_server: Start) -> None:
    server = openai_server(faults=["hang"])
    with pytest.raises(httpx.ReadTimeout):
        post(server, timeout=0.2)
    with pytest.raises(openai.APITimeoutError):
        by_sdk(timeout=0.2)
    assert [entry.why for entry in server.quiet().entries] == ["hang", "hang"]
    assert server.summary().cut == 2


def test_a_hanging_request_does_not_keep_the_server_from_stopping() -> None:
    def stop_once_busy() -> None:
        while not server.log.concurrent:
            time.sleep(0.01)
        server.stop()

    async def leave_hanging(url: str) -> None:
        async with httpx.AsyncClient(verify=TLS, timeout=30) as client:
            request = asyncio.ensure_future(client.post(url + CHAT, json=BODY))
            await asyncio.to_thread(stop_once_busy)
            with pytest.raises(httpx.TransportError):
                await request

    with LocalServer(faults=["hang"]) as server:
        asyncio.run(leave_hanging(server.base_url))
    assert server.summary().cut == 1


@pytest.mark.parametrize("kind", ["malformed_json", "no_choices", "empty_choices", "null_content", "html"])
@pytest.mark.parametrize("stream", [False, True])
def test_garbage(openai_server: Start, kind: str, stream: bool) -> None:
    server = openai_server(faults=[kind])
    reply = post(server, stream=stream)
    assert reply.status_code == 200
    media = "text/html" if kind == "html" else "text/event-stream" if stream else "application/json"
    assert reply.headers["content-type"].startswith(media)
    assert server.summary().garbage == 1
    assert server.summary().outcomes["garbage"].prompt == (2 if kind in ("empty_choices", "null_content") else 0)


def test_garbage_is_what_it_says(openai_server: Start) -> None:
    kinds = ("malformed_json", "no_choices", "empty_choices", "null_content")
    server = openai_server(faults=[{"fault": kind, "times": 1} for kind in kinds])
    with pytest.raises(ValueError, match=r"Expecting|Unterminated"):
        post(server).json()
    assert "choices" not in post(server).json()
    assert post(server).json()["choices"] == []
    assert post(server).json()["choices"][0]["message"]["content"] is None


def test_garbage_of_embeddings(openai_server: Start) -> None:
    server = openai_server(faults=[{"fault": kind, "times": 1} for kind in ("no_choices", "empty_choices")])
    replies = [post(server, path="/embeddings", input="x").json() for _ in range(2)]
    assert [reply.get("data") for reply in replies] == [None, []]


@pytest.mark.parametrize("stream", [False, True])
def test_huge_replies_arrive_whole(openai_server: Start, stream: bool) -> None:
    server = openai_server(faults=[{"kind": "huge", "size": 3_000_000}])
    assert len(by_sdk(stream=stream)) == 3_000_000
    sums = server.quiet().summary().whole
    assert (sums.calls, sums.completion) == (1, 600_000)


@pytest.mark.parametrize("stream", [False, True])
def test_a_trickle_arrives_whole(openai_server: Start, stream: bool) -> None:
    server = openai_server(brain={"fixed": "slow but sure"}, faults=[{"kind": "trickle", "interval": 0.002}])
    assert by_sdk(stream=stream) == "slow but sure"
    entry = server.quiet().entries[0]
    assert (entry.outcome, entry.fault) == ("whole", "trickle")


def test_a_trickle_outlasts_a_total_timeout_though_every_read_is_quick(openai_server: Start) -> None:
    server = openai_server(brain=LONG, faults=[{"kind": "trickle", "chunk": 1, "interval": 0.02}])

    async def impatient() -> None:
        async with httpx.AsyncClient(verify=TLS, timeout=5) as client, asyncio.timeout(0.3):
            await client.post(server.base_url + CHAT, json=BODY)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    entry = server.quiet().entries[0]
    assert (entry.outcome, entry.why) == ("cut", "the client went away before the end")

"""The server's log tells how each request really ended: also when the client went away, at whichever moment."""

import asyncio
import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from asking import BODY, CHAT, TLS, Start
from model_server import LocalServer
from model_server.log import Log


def raw_request(server: LocalServer, body: dict[str, Any]) -> socket.socket:
    """A connection on which a request has been sent and nothing read."""
    address = urlsplit(server.base_url)
    connection = socket.create_connection((str(address.hostname), int(address.port or 0)))
    payload = json.dumps(body).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(payload)}\r\n\r\n"
    connection.sendall(head.encode() + payload)
    return connection


def wait_for(outcome: str, server: LocalServer) -> None:
    latest = time.monotonic() + 10
    while not server.log.entries or server.log.entries[0].outcome != outcome:
        assert time.monotonic() < latest, f"no entry became {outcome}: {server.log.entries}"
        time.sleep(0.005)


def test_an_entry_holds_what_came_in_and_what_went_out(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": "a reply of five words"})
    httpx.post(server.base_url + CHAT, json=BODY, headers={"Authorization": "Bearer sk-x"})
    entry = server.log.entries[0]
    assert (entry.path, entry.model, entry.body) == ("/v1/chat/completions", "m", BODY)
    assert entry.headers["Authorization"] == "Bearer sk-x"
    assert (entry.status, entry.outcome, entry.reply) == (200, "whole", "a reply of five words")
    assert entry.usage is not None
    assert (entry.usage.prompt, entry.usage.completion) == (2, 5)
    assert entry.ended is not None
    assert entry.arrived <= entry.ended


def test_a_client_that_leaves_while_it_waits_is_a_cut(openai_server: Start) -> None:
    server = openai_server(latency=30)
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(server.base_url + CHAT, json=BODY, timeout=0.2)
    assert server.quiet().entries[0].why == "the client went away before the end"
    assert server.summary().cut == 1


def test_a_client_that_leaves_in_the_midst_of_a_large_body_is_a_cut(openai_server: Start) -> None:
    server = openai_server(faults=[{"kind": "huge", "size": 30_000_000}])
    connection = raw_request(server, BODY)
    connection.recv(1000)
    connection.close()
    assert server.quiet().entries[0].outcome == "cut"


def test_a_client_that_leaves_in_the_midst_of_a_stream_is_a_cut(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": " ".join(["word"] * 400)}, faults=[{"kind": "trickle", "interval": 0.02}])

    def read_a_little() -> None:
        with httpx.stream("POST", server.base_url + CHAT, json=BODY | {"stream": True}) as reply:
            next(reply.iter_lines())

    read_a_little()
    assert server.quiet().entries[0].outcome == "cut"


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_that_was_sent_but_never_read_is_a_cut(openai_server: Start, stream: bool) -> None:
    server = openai_server()
    connection = raw_request(server, BODY | {"stream": stream})
    wait_for("whole", server)
    connection.close()
    wait_for("cut", server)
    assert server.log.entries[0].why == "the client closed the connection without reading the reply"


def test_a_reply_that_meets_a_closed_connection_is_a_cut(openai_server: Start) -> None:
    def slow(_: Any) -> str:
        time.sleep(0.2)  # blocks the server's loop, so that it learns of the closing only after it has replied
        return "too late"

    server = openai_server(brain=slow)
    connection = raw_request(server, BODY)
    time.sleep(0.1)
    connection.close()
    wait_for("cut", server)


def test_a_reply_that_was_read_stays_whole_when_the_client_closes(openai_server: Start) -> None:
    server = openai_server()
    connection = raw_request(server, BODY)
    assert b"hello there" in connection.recv(100_000)
    connection.close()
    time.sleep(0.1)
    assert server.quiet().entries[0].outcome == "whole"


def test_a_kept_connection_is_judged_by_its_last_reply(openai_server: Start) -> None:
    server = openai_server()
    with httpx.Client(verify=TLS) as client:
        for _ in range(3):
            client.post(server.base_url + CHAT, json=BODY)
    assert [entry.outcome for entry in server.quiet().entries] == ["whole"] * 3


def test_what_hasty_clients_got_is_whole_and_the_rest_is_accounted_for(openai_server: Start) -> None:
    server = openai_server(latency=(0.0, 0.2))

    async def hasty(client: httpx.AsyncClient, number: int) -> int | None:
        try:
            async with asyncio.timeout(0.1):
                reply = await client.post(server.base_url + CHAT, json=BODY | {"seed": number})
                return number if reply.json()["choices"] else None
        except TimeoutError:
            return None

    async def all_of_them() -> list[int | None]:
        async with httpx.AsyncClient(verify=TLS, limits=httpx.Limits(max_keepalive_connections=0)) as client:
            return await asyncio.gather(*(hasty(client, number) for number in range(60)))

    got = set(asyncio.run(all_of_them())) - {None}
    entries = server.quiet().entries
    assert got <= {entry.body["seed"] for entry in entries if entry.outcome == "whole"}
    assert {entry.outcome for entry in entries} <= {"whole", "cut"}


def test_sums_per_model_and_the_most_at_once(openai_server: Start) -> None:
    server = openai_server(latency=0.2)

    async def together() -> None:
        async with httpx.AsyncClient(verify=TLS) as client:
            bodies = [BODY | {"model": model} for model in "aab"]
            await asyncio.gather(*(client.post(server.base_url + CHAT, json=body) for body in bodies))

    asyncio.run(together())
    summary = server.summary()
    assert summary.max_concurrent == 3
    assert {model: sums["whole"].calls for model, sums in summary.models.items()} == {"a": 2, "b": 1}
    assert summary.whole.prompt == 6
    server.log.reset()
    assert server.summary().requests == 0


def test_the_most_within_a_span() -> None:
    log = Log()
    for at in (0.0, 0.1, 0.95, 1.05, 1.06, 3.0):
        entry = log.arrive("/x", {})
        entry.arrived = at
        log.end(entry, "refused" if at == 1.06 else "whole")
    assert log.most_within(1.0) == 4
    assert log.most_within(1.0, refused=False) == 3
    assert log.most_within(0.05) == 2

"""A memory behind a URL does what a memory in Python does; servers that break are reported in words."""

import asyncio
import re
import socket
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from heams.external.errors import ExternalProgramError
from heams.memory.base import (
    ForgetDemand,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryScope,
    RecalledItem,
    RecallQuery,
    UnsupportedOperation,
)
from heams.memory.http import HttpMemoryConfig, HttpMemorySystem
from heams.scenarios.waiting import TimeSpent
from heta_framework.common.config import ConfigError

_QUERY = RecallQuery(text="?")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def _with(config: HttpMemoryConfig, use: Callable[[HttpMemorySystem], Awaitable[object]]) -> None:
    async def run() -> None:
        system = HttpMemorySystem(config)
        await system.start()
        try:
            await use(system)
        finally:
            await system.close()

    asyncio.run(run())


def test_operations_travel_as_post_bodies(serve: Any, reply: Any, hello: Any) -> None:
    seen: list[dict[str, Any]] = []

    def answer(handler: Any, request: dict[str, Any]) -> None:
        seen.append(request)
        results = {
            "hello": {**hello, "capabilities": {"fork": True}},
            "recall": [{"id": "i1", "text": "tea"}],
        }
        reply(handler, {"id": request["id"], "ok": True, "result": results.get(request["op"])})

    async def use(system: HttpMemorySystem) -> None:
        assert system.capabilities == MemoryCapabilities(fork=True)
        memory = await system.open(MemoryScope(id="conv/1"))
        await memory.write(MemoryEvent(id="e1", content="ö\ud83d"[:1]))
        assert await memory.recall(_QUERY) == [RecalledItem(id="i1", text="tea")]
        await (await memory.fork()).close()
        with pytest.raises(UnsupportedOperation):
            await memory.forget(ForgetDemand(content="x"))
        await memory.close()

    _with(HttpMemoryConfig(url=serve(answer)), use)
    assert seen[0] == {"id": 0, "op": "hello", "protocol": 1, "role": "memory"}
    assert [request["op"] for request in seen] == ["hello", "open", "write", "recall", "fork", "close", "close"]
    scopes = [request["scope"] for request in seen[1:]]
    assert scopes == [scopes[0]] * 4 + [seen[4]["to"], scopes[0]]
    assert seen[4]["to"] != scopes[0]


def test_scopes_of_two_runs_do_not_meet(serve: Any, reply: Any, hello: Any) -> None:
    scopes: list[str] = []

    def answer(handler: Any, request: dict[str, Any]) -> None:
        scopes.append(request.get("scope", ""))
        reply(handler, {"id": request["id"], "ok": True, "result": hello if request["op"] == "hello" else None})

    url = serve(answer)
    for _ in range(2):
        _with(HttpMemoryConfig(url=url), lambda system: system.open(MemoryScope(id="a")))
    assert len({scope for scope in scopes if scope}) == 2


def test_headers_go_with_every_request(serve: Any, reply: Any, hello: Any) -> None:
    seen: list[str] = []

    def answer(handler: Any, request: dict[str, Any]) -> None:
        seen.append(f"{handler.headers['Authorization']} {handler.headers['Content-Type']}")
        reply(handler, {"id": request["id"], "ok": True, "result": hello if request["op"] == "hello" else None})

    config = HttpMemoryConfig(url=serve(answer), headers={"Authorization": "Bearer hunter2"})
    _with(config, lambda system: system.open(MemoryScope(id="a")))
    assert seen == ["Bearer hunter2 application/json"] * 2


@pytest.mark.parametrize("width", [1, 3])
def test_a_server_never_gets_more_requests_at_once_than_it_allows(
    serve: Any, reply: Any, hello: Any, width: int
) -> None:
    working, most = [0], [0]

    def answer(handler: Any, request: dict[str, Any]) -> None:
        working[0] += 1
        most[0] = max(most[0], working[0])
        time.sleep(0.03)
        working[0] -= 1
        result = {**hello, "max_in_flight": width} if request["op"] == "hello" else []
        reply(handler, {"id": request["id"], "ok": True, "result": result if request["op"] != "open" else None})

    async def use(system: HttpMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        await asyncio.gather(*(memory.recall(_QUERY) for _ in range(12)))

    _with(HttpMemoryConfig(url=serve(answer)), use)
    assert most[0] == width


def test_waiting_for_a_turn_is_told_from_working(serve: Any, reply: Any, hello: Any) -> None:
    def answer(handler: Any, request: dict[str, Any]) -> None:
        if request["op"] == "recall":
            time.sleep(0.06)
        result = {**hello, "max_in_flight": 1} if request["op"] == "hello" else []
        reply(handler, {"id": request["id"], "ok": True, "result": result if request["op"] != "open" else None})

    async def measured(memory: Memory) -> TimeSpent:
        with TimeSpent() as spent:
            await memory.recall(_QUERY)
        return spent

    async def use(system: HttpMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        first, second = await asyncio.gather(measured(memory), measured(memory))
        assert first.waited == 0
        assert second.waited >= 0.05
        assert min(first.worked, second.worked) >= 0.05

    _with(HttpMemoryConfig(url=serve(answer)), use)


def _fault(
    serve: Any, reply: Any, hello: Any, misbehave: Callable[[Any, dict[str, Any]], None], **settings: Any
) -> str:
    """The error of a recall whose request is answered by ``misbehave``."""

    def answer(handler: Any, request: dict[str, Any]) -> None:
        if request["op"] == "recall":
            misbehave(handler, request)
        else:
            reply(handler, {"id": request["id"], "ok": True, "result": hello if request["op"] == "hello" else None})

    faults: list[str] = []

    async def use(system: HttpMemorySystem) -> None:
        memory: Memory = await system.open(MemoryScope(id="a"))
        with pytest.raises(ExternalProgramError) as caught:
            await memory.recall(_QUERY)
        faults.append(str(caught.value))
        await memory.close()

    _with(HttpMemoryConfig(url=serve(answer) + "api?key=hunter2", **settings), use)
    assert "hunter2" not in faults[0]
    assert re.match(r"memory server http://127\.0\.0\.1:\d+/api: ", faults[0])
    return faults[0]


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, b"Traceback: index is gone", 'the status is 500, not 200; the answer begins "Traceback: index is gone"'),
        (404, b"", 'the status is 404, not 200; the answer begins ""'),
        (204, b"", "the status is 204"),
        (200, b"<html>Welcome</html>", r'the answer is no message \(.*\): "<html>Welcome</html>"'),
        (200, b"", "the answer is no message"),
        (200, b"[]", "found a list"),
        (200, b'{"id": 2, "ok": true, "result": NaN}', "neither NaN nor Infinity"),
        (200, b'{"id": 2, "ok": true, "result": "\xff"}', "unicode"),
        (200, b'{"id": 7, "ok": true, "result": []}', "id must be 2, found 7"),
        (200, b'{"ok": true, "result": []}', "id: not given"),
        (200, b'{"id": 2, "ok": true, "result": [{"id": "1"}]}', "result.0.text: not given"),
        (200, b'{"id": 2, "ok": true, "calls": [{"call": "c"}]}', "'recall' cannot ask the memory"),
        (200, b'{"id": 2, "ok": false, "error": {"message": "no"}}', "'recall' failed: no"),
    ],
)
def test_wrong_answers_are_named(serve: Any, reply: Any, hello: Any, status: int, body: bytes, reason: str) -> None:
    fault = _fault(serve, reply, hello, lambda handler, request: reply(handler, body, status))
    assert re.search(reason, fault), fault
    assert "'recall'" in fault


def test_redirects_are_not_followed(serve: Any, reply: Any, hello: Any) -> None:
    fault = _fault(
        serve, reply, hello,
        lambda handler, request: reply(handler, b"", 302, Location="http://elsewhere/x?token=hunter2"),
    )  # fmt: skip
    assert "the answer is a redirect (302) to 'http://elsewhere/x', which is not followed" in fault


def test_huge_answers_are_cut_off(serve: Any, reply: Any, hello: Any) -> None:
    def flood(handler: Any, request: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"x" * 1_000_000)

    assert "the answer is longer than 16777216 bytes" in _fault(serve, reply, hello, flood)


def test_compressed_answers_are_refused(serve: Any, reply: Any, hello: Any) -> None:
    fault = _fault(serve, reply, hello, lambda handler, request: reply(handler, b"\x1f\x8b", Content_Encoding="gzip"))
    assert "the answer is compressed" in fault


def test_answers_that_drip_are_cut_off_by_the_time_limit(serve: Any, reply: Any, hello: Any) -> None:
    def drip(handler: Any, request: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(200):
            handler.wfile.write(b" ")
            time.sleep(0.02)

    assert "'recall' was not answered within 0.2 s" in _fault(serve, reply, hello, drip, call_timeout_s=0.2)


def test_connections_that_break_off(serve: Any, reply: Any, hello: Any) -> None:
    def hang_up(handler: Any, request: dict[str, Any]) -> None:
        handler.connection.shutdown(socket.SHUT_RDWR)

    assert "'recall' broke off: " in _fault(serve, reply, hello, hang_up)


def test_answers_shorter_than_announced(serve: Any, reply: Any, hello: Any) -> None:
    def cut(handler: Any, request: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b'{"id"')

    assert "'recall' broke off: " in _fault(serve, reply, hello, cut)


def _start_fault(config: HttpMemoryConfig, error: type[Exception] = ExternalProgramError) -> str:
    async def run() -> str:
        system = HttpMemorySystem(config)
        try:
            with pytest.raises(error) as caught:
                await system.start()
            return str(caught.value)
        finally:
            await system.close()

    return asyncio.run(run())


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    fault = _start_fault(HttpMemoryConfig(url=f"http://127.0.0.1:{port}/"))
    assert re.search(r"'hello' found no server \(.+\); does it run at this address\?$", fault)


def test_a_name_that_does_not_resolve() -> None:
    assert "'hello' found no server" in _start_fault(HttpMemoryConfig(url="http://nowhere.invalid/"))


def test_a_server_that_never_answers_hello(serve: Any) -> None:
    config = HttpMemoryConfig(url=serve(lambda handler, request: time.sleep(0.5)), startup_timeout_s=0.2)
    assert "'hello' was not answered within 0.2 s" in _start_fault(config)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"protocol": 2}, "speaks protocol 2; this heams speaks protocol 1"),
        ({"role": "agent"}, "has the role 'agent', but is configured as 'memory'"),
        ({"capabilities": {"forgett": True}}, "capabilities.forgett: this field is not known"),
    ],
)
def test_a_handshake_that_fails_says_why(serve: Any, reply: Any, hello: Any, change: Any, reason: str) -> None:
    def answer(handler: Any, request: dict[str, Any]) -> None:
        reply(handler, {"id": 0, "ok": True, "result": {**hello, **change}})

    assert reason in _start_fault(HttpMemoryConfig(url=serve(answer)))


def test_plain_http_where_https_is_configured(serve: Any, reply: Any) -> None:
    url = serve(lambda handler, request: reply(handler, b"")).replace("http:", "https:")
    assert "'hello' found no server (" in _start_fault(HttpMemoryConfig(url=url))


def test_a_certificate_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    config = HttpMemoryConfig(url="https://127.0.0.1/", verify=tmp_path / "ca.pem")
    assert _start_fault(config, ConfigError).startswith(f"verify: found '{tmp_path / 'ca.pem'}'; no certificates in it")

"""Programs and servers for these tests: each test writes the few lines in which its program differs."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from heams.external import process
from heams.memory.command import CommandMemoryConfig

PREAMBLE = """
import json, os, sys, time

def send(message):
    print(json.dumps(message), flush=True)

def ok(request, result=None):
    send({"id": request["id"], "ok": True, "result": result})

def fail(request, kind, message):
    send({"id": request["id"], "ok": False, "error": {"kind": kind, "message": message}})

def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def greet(**more):
    ok(read(), {"protocol": 1, "name": "test", "capabilities": {}, **more})

def until(op):
    while True:
        request = read()
        if request["op"] == op:
            return request
        ok(request)
"""

MakeProgram = Callable[..., Any]


@pytest.fixture
def program(tmp_path: Path) -> MakeProgram:
    """Write a program that ends with ``body``, and return the configuration that runs it."""

    def make(body: str, config: type = CommandMemoryConfig, **settings: Any) -> Any:
        script = tmp_path / f"program{len(list(tmp_path.glob('program*.py')))}.py"
        script.write_text(PREAMBLE + body, encoding="utf-8")
        return config(command=[sys.executable, str(script)], **settings)

    return make


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that do not leave are given less time than in earnest."""
    monkeypatch.setattr(process, "SHUTDOWN_GRACE_S", 0.1)
    monkeypatch.setattr(process, "_LINGER_S", 0.1)


Answer = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    answer: Answer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.answer(self, json.loads(body))  # type: ignore[attr-defined]

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Start a server that answers with a function of (handler, request), and return its URL."""
    servers: list[tuple[_Server, threading.Thread]] = []

    def start(answer: Answer) -> str:
        server = _Server(("127.0.0.1", 0), _Handler)
        server.answer = answer
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def reply() -> Callable[..., None]:
    """Write a response of any status and body."""

    def write(handler: BaseHTTPRequestHandler, body: Any, status: int = 200, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return write


HELLO = {"protocol": 1, "name": "test", "max_in_flight": 8}


@pytest.fixture
def hello() -> dict[str, Any]:
    """What a server answers to ``hello``."""
    return dict(HELLO)

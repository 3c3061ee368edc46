"""A loopback server of one file, and no waiting between tries."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import stamina


class _OneFile(BaseHTTPRequestHandler):
    content = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def served() -> Iterator[Callable[[bytes], str]]:
    """Serves the bytes it is called with and returns their URL, always the same one."""
    handler = type("Handler", (_OneFile,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()

        def serve(content: bytes) -> str:
            handler.content = content  # type: ignore[attr-defined]
            return f"http://127.0.0.1:{server.server_port}/data.zip"

        yield serve
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    stamina.set_testing(True, attempts=3)
    yield
    stamina.set_testing(False)

"""A workspace of its own, what a benchmark yields, and a loopback server of files."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
import stamina

from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkProtocol,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    PreparedBenchmark,
)


class Yielded(NamedTuple):
    """Everything that a benchmark yields."""

    prepared: PreparedBenchmark
    documents: list[BenchmarkDocument]
    cases: list[BenchmarkCase]
    units: list[BenchmarkRunUnit]


Collect = Callable[[BenchmarkProtocol], Awaitable[Yielded]]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BenchmarkWorkspace:
    """Folders of this test alone; so is the data cache."""
    monkeypatch.setenv("HEAMS_CACHE_DIR", str(tmp_path / "data_cache"))
    return BenchmarkWorkspace(tmp_path / "work", tmp_path / "work" / "cache")


@pytest.fixture
def collect(workspace: BenchmarkWorkspace) -> Collect:
    """Prepares a benchmark and takes everything from it."""

    async def collect_all(benchmark: BenchmarkProtocol) -> Yielded:
        assert isinstance(benchmark, BenchmarkProtocol)
        prepared = await benchmark.prepare(workspace)
        return Yielded(
            prepared,
            [document async for document in benchmark.documents(prepared)],
            [case async for case in benchmark.cases(prepared)],
            [unit async for unit in benchmark.run_units(prepared)],
        )

    return collect_all


class Files(dict[str, bytes]):
    """What the server answers, by path, and at which address; ``asked`` are the paths in order."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []


@pytest.fixture
def web() -> Iterator[Files]:
    """A server on this machine of the files that a test puts in."""
    files = Files()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            files.asked.append(self.path)
            content = files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        files.url = f"http://127.0.0.1:{server.server_port}"
        yield files
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    stamina.set_testing(True, attempts=2)
    yield
    stamina.set_testing(False)

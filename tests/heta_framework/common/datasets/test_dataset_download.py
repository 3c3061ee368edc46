"""Downloads against a real HTTP server on this machine: good, altered, cut and resumed, refused."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import stamina

from heta_framework.common.datasets import (
    DatasetEntry,
    DatasetFile,
    DownloadError,
    Licence,
    LicenceNotAccepted,
    fetch_entry,
    verify_entry,
)

_CONTENT = os.urandom(300_000)


class _Handler(BaseHTTPRequestHandler):
    """Serves what the server's fields say; each answer uses up one planned cut or status."""

    server: FileServer

    def do_GET(self) -> None:
        plan = self.server
        plan.ranges.append(self.headers.get("Range"))
        if plan.statuses:
            self.send_error(plan.statuses.pop(0))
            return
        start = self._start()
        if start >= len(plan.content):
            self.send_error(416)
            return
        body = plan.content[start:]
        self.send_response(206 if start else 200)
        if plan.says_length:
            self.send_header("Content-Length", str(len(body)))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(plan.content) - 1}/{len(plan.content)}")
        self.end_headers()
        self.wfile.write(body[: plan.cuts.pop(0)] if plan.cuts else body)

    def _start(self) -> int:
        asked = self.headers.get("Range")
        return int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.has_ranges else 0

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class FileServer(ThreadingHTTPServer):
    """One file under every path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content = _CONTENT
        self.has_ranges = True
        self.says_length = True
        self.cuts: list[int] = []
        self.statuses: list[int] = []
        self.ranges: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data.bin"


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    stamina.set_testing(True, attempts=3)
    yield
    stamina.set_testing(False)


def _entry(url: str, content: bytes = _CONTENT) -> DatasetEntry:
    return DatasetEntry(
        name="sample",
        title="A sample",
        files=(
            DatasetFile(url=url, filename="data.bin", sha256=hashlib.sha256(content).hexdigest(), size=len(content)),
        ),
        licence=Licence(name="CC0", url="https://example.invalid/cc0", terms="Do what you like.", commercial_use=True),
        homepage="https://example.invalid",
        citation="None needed",
    )


def _fetch(server: FileServer, cache: Path) -> bytes:
    (path,) = fetch_entry(_entry(server.url), cache_dir=cache, accept_licence=True, timeout=5)
    assert path == cache / "sample" / "data.bin"
    return path.read_bytes()


def _files(cache: Path) -> set[str]:
    return {path.name for path in (cache / "sample").iterdir()} - {".download.lock"}


def test_a_file_is_downloaded_once_with_progress(server: FileServer, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    for _ in range(2):
        fetch_entry(
            _entry(server.url),
            cache_dir=tmp_path,
            accept_licence=True,
            progress=lambda name, received, size: seen.append((name, received, size)),
        )
    assert _files(tmp_path) == {"data.bin"}
    assert server.ranges == [None]
    assert seen[-1] == ("data.bin", len(_CONTENT), len(_CONTENT))
    assert [received for _, received, _ in seen] == sorted({received for _, received, _ in seen})


def test_what_is_there_needs_no_licence(server: FileServer, tmp_path: Path) -> None:
    _fetch(server, tmp_path)
    fetch_entry(_entry(server.url), cache_dir=tmp_path)


def test_the_licence_is_shown_and_nothing_is_asked_for_before_it_is_accepted(
    server: FileServer, tmp_path: Path
) -> None:
    with pytest.raises(LicenceNotAccepted) as refusal:
        fetch_entry(_entry(server.url), cache_dir=tmp_path)
    for part in ("CC0", "https://example.invalid/cc0", "Do what you like.", "--accept-licence", "accept_licence=True"):
        assert part in str(refusal.value)
    assert server.ranges == []
    assert list(tmp_path.iterdir()) == []


def test_another_content_is_refused_and_not_kept(server: FileServer, tmp_path: Path) -> None:
    server.content = os.urandom(len(_CONTENT))
    with pytest.raises(DownloadError, match=r"is not the registered file: .* expected sha256:"):
        _fetch(server, tmp_path)
    assert _files(tmp_path) == set()


@pytest.mark.parametrize(
    ("says_length", "message"), [(True, "has 300004 bytes"), (False, "bytes and more, the registered")]
)
def test_a_longer_content_is_refused_and_not_kept(
    server: FileServer, tmp_path: Path, says_length: bool, message: str
) -> None:
    server.content, server.says_length = _CONTENT + b"more", says_length
    with pytest.raises(DownloadError, match=message):
        _fetch(server, tmp_path)
    assert _files(tmp_path) == set()


def test_a_silent_end_is_a_cut_where_the_server_says_no_length(server: FileServer, tmp_path: Path) -> None:
    server.says_length = False
    server.cuts = [100_000]
    assert _fetch(server, tmp_path) == _CONTENT
    assert server.ranges == [None, "bytes=100000-"]


def test_a_cut_connection_is_resumed_within_one_call(server: FileServer, tmp_path: Path) -> None:
    server.cuts = [100_000, 50_000]
    assert _fetch(server, tmp_path) == _CONTENT
    assert server.ranges == [None, "bytes=100000-", "bytes=150000-"]


def test_a_connection_cut_for_good_is_resumed_by_the_next_call(server: FileServer, tmp_path: Path) -> None:
    server.cuts = [1000, 1000, 1000]
    with pytest.raises(DownloadError, match=r"cut after 3000 of 300000 bytes.*resume"):
        _fetch(server, tmp_path)
    assert _files(tmp_path) == {"data.bin.part"}
    assert [state.state for state in verify_entry(_entry(server.url), tmp_path)] == ["missing"]
    assert _fetch(server, tmp_path) == _CONTENT
    assert server.ranges[-1] == "bytes=3000-"
    assert _files(tmp_path) == {"data.bin"}


@pytest.mark.parametrize("kept", [b"another version", _CONTENT + b"too long", os.urandom(len(_CONTENT))])
def test_a_beginning_that_does_not_fit_is_thrown_away(server: FileServer, tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "data.bin.part").write_bytes(kept)
    assert _fetch(server, tmp_path) == _CONTENT


def test_a_complete_part_needs_no_request(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "data.bin.part").write_bytes(_CONTENT)
    assert _fetch(server, tmp_path) == _CONTENT
    assert server.ranges == []


def test_a_server_without_ranges_starts_over(server: FileServer, tmp_path: Path) -> None:
    server.has_ranges = False
    server.cuts = [100_000]
    assert _fetch(server, tmp_path) == _CONTENT


def test_a_file_shorter_than_what_is_kept_starts_over(server: FileServer, tmp_path: Path) -> None:
    server.content = _CONTENT[:10]
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "data.bin.part").write_bytes(_CONTENT[:20])
    with pytest.raises(DownloadError, match="has 10 bytes, the registered file has 300000"):
        _fetch(server, tmp_path)


def test_a_corrupt_file_is_replaced(server: FileServer, tmp_path: Path) -> None:
    _fetch(server, tmp_path)
    path = tmp_path / "sample" / "data.bin"
    path.write_bytes(_CONTENT[:-1] + b"!")
    (state,) = verify_entry(_entry(server.url), tmp_path)
    assert (state.state, state.found) == ("corrupt", hashlib.sha256(path.read_bytes()).hexdigest())
    assert _fetch(server, tmp_path) == _CONTENT
    (state,) = verify_entry(_entry(server.url), tmp_path)
    assert (state.state, state.found) == ("ok", state.expected)


def test_a_busy_server_is_asked_again(server: FileServer, tmp_path: Path) -> None:
    server.statuses = [503, 429]
    assert _fetch(server, tmp_path) == _CONTENT


@pytest.mark.parametrize("status", [404, 403])
def test_a_missing_file_is_not_asked_for_twice(server: FileServer, tmp_path: Path, status: int) -> None:
    server.statuses = [status]
    with pytest.raises(DownloadError, match=f"dataset 'sample': http://.*/data.bin answers {status}"):
        _fetch(server, tmp_path)
    assert len(server.ranges) == 1
    assert _files(tmp_path) == set()


def test_no_connection_is_told_apart(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: refuses every connection
        entry = _entry(f"http://127.0.0.1:{taken.getsockname()[1]}/data.bin")
        with pytest.raises(DownloadError, match=r"no connection to 127\.0\.0\.1"):
            fetch_entry(entry, cache_dir=tmp_path, accept_licence=True, timeout=5)


def test_a_cache_that_cannot_be_written_is_named(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DownloadError, match=r"cannot be written to .*file"):
        _fetch(server, tmp_path / "file")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a file size limit of the operating system")
def test_a_full_disk_keeps_what_came_and_says_so(server: FileServer, tmp_path: Path) -> None:
    code = (
        "import resource, sys, pathlib\n"
        "from heta_framework.common.datasets import DatasetEntry, DownloadError, fetch_entry\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try:\n"
        "    entry, cache = DatasetEntry.model_validate_json(sys.argv[1]), pathlib.Path(sys.argv[2])\n"
        "    fetch_entry(entry, cache_dir=cache, accept_licence=True)\n"
        "except DownloadError as error:\n"
        "    print(error)\n"
    )
    arguments = [sys.executable, "-c", code, _entry(server.url).model_dump_json(), str(tmp_path)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=60)
    assert "no room left for its 300000 bytes" in run.stdout
    assert _files(tmp_path) == {"data.bin.part"}
    assert _fetch(server, tmp_path) == _CONTENT
    assert server.ranges[-1] == "bytes=100000-"


def test_callers_at_once_download_one_after_the_other(server: FileServer, tmp_path: Path) -> None:
    server.cuts = [1000]
    threads = [threading.Thread(target=_fetch, args=(server, tmp_path)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "sample" / "data.bin").read_bytes() == _CONTENT
    assert len(server.ranges) == 2

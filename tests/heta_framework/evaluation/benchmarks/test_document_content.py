"""Documents from the network of this machine, from files and from memory: what is wrong is said with the document."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import stamina

from heta_framework.evaluation import BenchmarkDocument
from heta_framework.evaluation.document_content import ContentLimits, ContentReader, read_content
from heta_framework.evaluation.errors import DocumentContentError

pytestmark = pytest.mark.anyio
_CONTENT = b"A harbour at dawn."
_SHA256 = hashlib.sha256(_CONTENT).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    """Answers by the path: /ok, /long, /endless, /busy (once), /gone, /loop, /moved, /nowhere, /slow."""

    busy = 0
    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        path = self.path.partition("?")[0]
        if path in ("/loop", "/moved", "/nowhere"):
            self.send_response(302)
            self.send_header("Location", {"/loop": "/loop", "/moved": "/ok"}.get(path, "http://127.0.0.1:99999/"))
            self.end_headers()
        elif path == "/busy" and type(self).busy > 0:
            type(self).busy -= 1
            self.send_error(503)
        elif path == "/gone":
            self.send_error(404)
        else:
            self._send(path)

    def _send(self, path: str) -> None:
        self.send_response(200)
        if path == "/long":
            self.send_header("Content-Length", "1000000")
        self.end_headers()
        if path == "/slow":
            time.sleep(0.5)
        for _ in range(1000 if path in ("/endless", "/long") else 1):
            try:
                self.wfile.write(_CONTENT)
            except OSError:
                return

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    handler = type("Handler", (_Handler,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    stamina.set_testing(True, attempts=2)
    yield
    stamina.set_testing(False)


def _document(**place: object) -> BenchmarkDocument:
    return BenchmarkDocument("doc-1", "d.txt", "text/plain", **place)  # type: ignore[arg-type]


async def test_all_places_give_the_same_bytes(server: str, tmp_path: Path) -> None:
    path = tmp_path / "a b.txt"
    path.write_bytes(_CONTENT)
    checked = {"metadata": {"sha256": _SHA256.upper()}}
    async with ContentReader(tmp_path) as reader:
        for place in (
            {"data": _CONTENT},
            {"path": path},
            {"source_uri": path.as_uri()},
            {"source_uri": f"file://localhost{path}".replace(" ", "%20")},
            {"source_uri": f"{server}/ok"},
            {"source_uri": f"{server}/moved"},
            {"source_uri": f"{server}/busy"},
        ):
            assert await reader.read(_document(**place, **checked)) == _CONTENT


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/gone", "answers 404"),
        ("/loop", "redirected more than 3 times"),
        ("/nowhere", "cannot be connected to"),
        ("/long", "found 1000000 bytes; at most 100 bytes are allowed"),
        ("/endless", "found more; at most 100 bytes are allowed"),
    ],
)
async def test_an_address_that_fails_names_the_document(server: str, tmp_path: Path, path: str, message: str) -> None:
    document = _document(source_uri=f"{server}{path}?api_key=hidden1234")
    with pytest.raises(DocumentContentError, match=f"document 'doc-1' .*cannot be read: .*{message}") as refusal:
        await read_content(document, root=tmp_path, limits=ContentLimits(max_bytes=100, redirects=3))
    assert "hidden1234" not in str(refusal.value)


async def test_a_document_that_does_not_arrive_in_time_is_given_up(server: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentContentError, match=r"did not arrive within 0\.1 s"):
        await read_content(_document(source_uri=f"{server}/slow"), root=tmp_path, limits=ContentLimits(total_s=0.1))


async def test_nobody_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DocumentContentError, match=r"doc-1.*127"):
        await read_content(_document(source_uri="http://127.0.0.1:9/x"), root=tmp_path)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("file:///etc/hostname", "leads out of its folder"),
        ("file://{root}/../secret.txt", "leads out of its folder"),
        ("file://{root}/link.txt", "leads out of its folder"),
        ("file://elsewhere/x.txt", "on the host 'elsewhere'"),
        ("file://{root}/missing.txt", "No such file"),
        ("ftp://127.0.0.1/x", "scheme 'ftp'; allowed are http, https and file"),
        ("just words", "scheme ''"),
        ("http://[::1", "."),
        ("http://127.0.0.1:99999/", "its address is none: Port out of range"),
        ("file://{root}/pipe", "no regular file"),
    ],
)
async def test_addresses_that_are_not_allowed(tmp_path: Path, address: str, message: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(root / "pipe")
    with pytest.raises(DocumentContentError, match=message):
        await read_content(_document(source_uri=address.format(root=root)), root=root)


async def test_another_content_than_the_checksum_says_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentContentError, match=f"found content with the sha256 {_SHA256}; its metadata expect 'ab"):
        await read_content(_document(data=_CONTENT, metadata={"sha256": "ab" * 32}), root=tmp_path)


async def test_the_limit_holds_wherever_the_bytes_come_from(tmp_path: Path) -> None:
    path = tmp_path / "d.txt"
    path.write_bytes(_CONTENT)
    for place in ({"data": _CONTENT}, {"path": path}):
        with pytest.raises(DocumentContentError, match="found 18 bytes; at most 5"):
            await read_content(_document(**place), root=tmp_path, limits=ContentLimits(max_bytes=5))
    with pytest.raises(DocumentContentError, match="nowhere"):
        await read_content(_document(path=tmp_path / "nowhere"), root=tmp_path)


@pytest.mark.parametrize("change", [{"max_bytes": 0}, {"wait_s": 0.0}, {"redirects": -1}, {"attempts": 0}])
def test_limits_are_checked(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        ContentLimits(**change)  # type: ignore[arg-type]

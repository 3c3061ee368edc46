"""`heams browse`: where it listens, what it says, and how it ends."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from heams.browse.errors import BrowseError
from heams.browse.places import places
from heams.browse.serving import address, listening
from heams.reporting.errors import ResultsError


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_it_serves_until_it_is_interrupted_and_says_where_in_one_line(browse_results: Path) -> None:
    command = [sys.executable, "-c", "from heams.cli.main import main; main()", "browse", str(browse_results)]
    environment = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment | {"PYTHONUNBUFFERED": "1"}
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        found = re.fullmatch(r"heams browse: 8 experiments at (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends\)\n", said)
        assert found, said
        answer = httpx.get(found[1], timeout=30)
        refused = httpx.get(found[1], headers={"Host": "evil.example"}, timeout=30)
        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=30)
    assert (answer.status_code, refused.status_code) == (200, 421)
    assert "server" not in answer.headers
    assert (server.returncode, out, err) == (0, "", "")


def test_whoever_ends_it_from_outside_leaves_nothing_behind(browse_results: Path, tmp_path: Path) -> None:
    places_of_temporary_files = {"TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", "from heams.cli.main import main; main()", "browse", str(browse_results), "--no-open"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **places_of_temporary_files},
    ) as server:  # fmt: skip
        assert server.stdout is not None
        server.stdout.readline()
        server.send_signal(signal.SIGTERM)
        _, err = server.communicate(timeout=30)
    assert (server.returncode, err) == (128 + signal.SIGTERM, "")
    assert not list(tmp_path.iterdir())


def test_a_port_that_is_taken_is_named(taken: int) -> None:
    with pytest.raises(BrowseError, match=f"port {taken} is taken by another program; name another with --port"):
        listening("127.0.0.1", taken)


def test_without_a_port_the_first_free_one_is_found(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heams.browse.serving.FIRST_PORT", taken)
    with listening("127.0.0.1", None) as found:
        assert found.getsockname()[1] > taken


def test_answers_leave_at_once() -> None:
    """asyncio sets TCP_NODELAY only on sockets that name their protocol: others wait 40 ms with every small answer."""
    with listening("127.0.0.1", 0) as found:
        assert found.proto == socket.IPPROTO_TCP


def test_a_host_that_is_not_of_this_machine_is_named() -> None:
    with pytest.raises(BrowseError, match=r"--host 203\.0\.113\.9: this machine has no such address"):
        listening("203.0.113.9", 0)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("0.0.0.0", "http://127.0.0.1:80/"),  # noqa: S104
        ("::1", "http://[::1]:80/"),
        ("box", "http://box:80/"),
    ],
)
def test_the_address_can_be_typed_into_a_browser(host: str, url: str) -> None:
    assert address(host, 80) == url


def test_folders_of_results_are_found_one_level_below(browse_results: Path, tmp_path: Path) -> None:
    for run in ("monday", "tuesday"):
        shutil.copytree(browse_results / "plain__lexical", tmp_path / run / "plain__lexical")
    (tmp_path / "notes").mkdir()
    assert places([tmp_path]) == [tmp_path / "monday", tmp_path / "tuesday"]
    assert places([tmp_path / "monday", tmp_path / "monday" / "../monday"]) == [tmp_path / "monday"]


def test_what_is_no_folder_of_results_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(ResultsError, match=r"reslts: no such folder; did you mean '.*results'\?"):
        places([tmp_path / "reslts"])
    with pytest.raises(ResultsError, match="results: no results here and in none of its folders; expected a folder"):
        places([tmp_path / "results"])
    with pytest.raises(ResultsError, match="this is a file"):
        places([tmp_path / "file"])

"""The search at the end of the suite finds the key wherever it may hide; else it would prove nothing."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from canary_search import files_with_canary
from model_server import CANARY_KEY

pytestmark = pytest.mark.usefixtures("_clean_up")
TEXT = f"Authorization: Bearer {CANARY_KEY}\n".encode()


@pytest.fixture
def hiding_place() -> "Path":
    import tempfile

    return Path(tempfile.mkdtemp(prefix="canary-"))


@pytest.fixture
def _clean_up(hiding_place: Path) -> "object":
    import shutil

    yield
    shutil.rmtree(hiding_place)


def test_it_is_found_in_every_kind_of_file(hiding_place: Path) -> None:
    pack = zstandard.ZstdCompressor().compress
    (hiding_place / "plain.log").write_bytes(b"x" * (1 << 22) + TEXT)
    (hiding_place / "across.log").write_bytes(b"x" * ((1 << 22) - 20) + TEXT)
    (hiding_place / "cassette.jsonl.zst").write_bytes(pack(b"first frame\n") + pack(TEXT))
    (hiding_place / "cut.jsonl.zst").write_bytes(pack(TEXT) + pack(b"cut off")[:-4])
    with closing(sqlite3.connect(hiding_place / "cache.sqlite")) as database, database:
        database.execute("CREATE TABLE replies (key TEXT, body BLOB)")
        database.execute("INSERT INTO replies VALUES ('k', ?)", (pack(TEXT * 10_000),))
    (hiding_place / "innocent.zst").write_bytes(pack(b"nothing"))
    (hiding_place / "innocent.log").write_bytes(CANARY_KEY[:-1].encode())
    found = {path.name for path in files_with_canary(hiding_place)}
    assert found == {"plain.log", "across.log", "cassette.jsonl.zst", "cut.jsonl.zst", "cache.sqlite"}


LEAKY = """
import logging
from model_server import CANARY_KEY as KEY

def test_writes(tmp_path): (tmp_path / "x.txt").write_text(KEY)
def test_prints(): print(KEY)
def test_logs(): logging.error(KEY)
def test_fine(): pass
"""
CONFTEST = """
import sys
sys.path.insert(0, {servers!r})

def pytest_configure(config):
    from canary_search import CanaryWatch
    config.pluginmanager.register(CanaryWatch())
"""


def test_leaks_fail_a_suite_of_tests_that_pass(hiding_place: Path) -> None:
    servers = str(Path(__file__).parents[1] / "servers")
    (hiding_place / "conftest.py").write_text(CONFTEST.format(servers=servers))
    (hiding_place / "test_leaks.py").write_text(LEAKY)
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", str(hiding_place / "tmp")]
    command = [sys.executable, "-m", "pytest", *options, str(hiding_place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=hiding_place)
    assert done.returncode == 1, done.stdout
    found = [line.split("FOUND in ")[1] for line in done.stdout.splitlines() if "FOUND in" in line]
    assert [where.rpartition("/")[2].rpartition("::")[2] for where in found] == ["x.txt", "test_prints", "test_logs"]

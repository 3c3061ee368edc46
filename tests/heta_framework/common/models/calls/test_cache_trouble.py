"""Whatever is wrong with the file of the cache: a clear word, and either a stop before the run or a run without it."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.cache_file import CACHE_FILE, CacheError
from heta_framework.common.models.calls.cache_statistics import cache_statistics
from heta_framework.common.models.calls.call import ModelCall

MakeDesk = Any


def _sources(directory: Path, desk: MakeDesk, *calls: ModelCall) -> tuple[list[str], list[str]]:
    """Who answered each call, and what was said about the cache."""
    said: list[str] = []

    async def main() -> list[str]:
        async with open_cache_layer(directory, said.append) as cache:
            return [(await cache(call, desk.ask)).source for call in calls]

    return asyncio.run(main()), said


@pytest.mark.parametrize("content", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside(tmp_path: Path, desk: MakeDesk, content: bytes) -> None:
    (tmp_path / CACHE_FILE).write_bytes(content)
    sources, said = _sources(tmp_path, desk, desk.call(), desk.call())
    assert sources == ["provider", "cache"]
    assert len(said) == 1
    assert f"{CACHE_FILE}.damaged-1" in said[0]
    assert (tmp_path / f"{CACHE_FILE}.damaged-1").read_bytes() == content
    assert cache_statistics(tmp_path).entries == 1


def test_damage_that_is_found_later_ends_caching_and_not_the_run(tmp_path: Path, desk: MakeDesk) -> None:
    _sources(tmp_path, desk, *(desk.call(f"{n} " * 3000) for n in range(20)))
    with (tmp_path / CACHE_FILE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 8192)
    sources, said = _sources(tmp_path, desk, *(desk.call(f"{n} " * 3000) for n in range(20)))
    assert "provider" in sources
    assert said
    assert all(str(tmp_path) in word for word in said)


def test_one_damaged_reply_is_asked_for_again(tmp_path: Path, desk: MakeDesk) -> None:
    _sources(tmp_path, desk, desk.call("a"), desk.call("b"))
    with closing(sqlite3.connect(tmp_path / CACHE_FILE)) as connection, connection:
        connection.execute("UPDATE replies SET body = zeroblob(50)")
    sources, said = _sources(tmp_path, desk, desk.call("a"), desk.call("b"), desk.call("a"))
    assert sources == ["provider", "provider", "cache"]
    assert len(said) == 1
    assert "damaged reply" in said[0]


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / CACHE_FILE)) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    before = (tmp_path / CACHE_FILE).read_bytes()
    for opening in (open_cache_layer, cache_statistics):
        with pytest.raises(CacheError, match="something else; name another folder"):
            opening(tmp_path)
    assert (tmp_path / CACHE_FILE).read_bytes() == before


def test_a_newer_format_is_refused(tmp_path: Path, desk: MakeDesk) -> None:
    _sources(tmp_path, desk, desk.call())
    with closing(sqlite3.connect(tmp_path / CACHE_FILE)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(CacheError, match="format 99"):
        open_cache_layer(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(CacheError, match="needs a folder"):
        open_cache_layer(tmp_path / "cache")


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path: Path, desk: MakeDesk) -> None:
    (tmp_path / "file").write_text("in the way")
    sources, said = _sources(tmp_path / "file/cache", desk, desk.call(), desk.call())
    assert sources == ["provider", "provider"]
    assert len(said) == 1
    assert "goes on without it" in said[0]


FULL_DISK = """
import asyncio, json, resource, sys
from pathlib import Path
from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig

async def send():
    return ModelReply(body=__import__("random").Random(len(sources)).randbytes(3000).hex())

def call(n):
    return ModelCall(kind="chat", endpoint=LanguageModelConfig(model="m"), request={"n": n}, send=send)

said, sources = [], []

async def main():
    async with open_cache_layer(Path(sys.argv[1]), said.append) as cache:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        for n in [*range(200), 0]:
            sources.append((await cache(call(n), lambda call: call.send())).source)

asyncio.run(main())
print(json.dumps([sources, said]))
"""


def test_a_full_disk_ends_keeping_and_not_reading(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=True)
    sources, said = json.loads(done.stdout)
    assert sources == ["provider"] * 200 + ["cache"]
    assert len(said) == 1
    assert "new replies are not kept" in said[0]
    assert 0 < cache_statistics(tmp_path).entries < 200


def test_another_process_that_holds_the_file_for_long_costs_the_keeping_alone(
    tmp_path: Path, desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sources(tmp_path, desk, desk.call("kept"))
    monkeypatch.setattr("heta_framework.common.models.calls.cache_file._BUSY_S", 0.05)
    with closing(sqlite3.connect(tmp_path / CACHE_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        sources, said = _sources(tmp_path, desk, desk.call("new"), desk.call("newer"), desk.call("kept"))
    assert sources == ["provider", "provider", "cache"]
    assert len(said) == 1
    assert "another process" in said[0]
    assert _sources(tmp_path, desk, desk.call("new"))[0] == ["provider"]

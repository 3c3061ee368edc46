"""Several processes and threads share one cache: nothing breaks, nothing is lost."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.cache_file import CACHE_FILE
from heta_framework.common.models.calls.cache_statistics import cache_statistics

SESSION = """
import asyncio, json, sys
from collections import Counter
from pathlib import Path
from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig

endpoint = LanguageModelConfig(model="m")
said = []

def call(n):
    async def send():
        return ModelReply(body={"n": n, "by": sys.argv[2]}, input_tokens=1, output_tokens=1)
    return ModelCall(kind="chat", endpoint=endpoint, request={"n": n}, send=send)

async def main():
    sys.stdin.readline()
    async with open_cache_layer(Path(sys.argv[1]), said.append) as cache:
        replies = await asyncio.gather(*(cache(call(n), lambda call: call.send()) for n in range(300)))
    assert [reply.body["n"] for reply in replies] == list(range(300))
    print(json.dumps([Counter(reply.source for reply in replies), said]))

asyncio.run(main())
"""


def test_processes_that_begin_at_the_same_moment(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SESSION, str(tmp_path / "cache"), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [json.loads(process.communicate()[0]) for process in started]
    assert [process.returncode for process in started] == [0] * 3
    assert [said for _, said in outcomes] == [[]] * 3
    with closing(sqlite3.connect(tmp_path / "cache" / CACHE_FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    (model,) = cache_statistics(tmp_path / "cache").models
    assert model.entries == 300
    assert model.hits == sum(counts.get("cache", 0) for counts, _ in outcomes)


def test_threads_with_an_event_loop_each(tmp_path: Path, desk: Any) -> None:
    async def session(cache: Any) -> list[str]:
        replies = await asyncio.gather(*(cache(desk.call(f"n{n}"), desk.ask) for n in range(50)))
        return [reply.body["text"] for reply in replies]

    cache = open_cache_layer(tmp_path)
    with ThreadPoolExecutor(4) as threads:
        told = list(threads.map(lambda _: asyncio.run(session(cache)), range(8)))
    cache.close()
    assert told == [[f"to n{n}" for n in range(50)]] * 8
    assert cache_statistics(tmp_path).entries == 50

"""Run the local OpenAI-compatible server as a process: ``python tests/servers/openai_server.py --script file.json``.

The first line printed is the base URL. ``GET /_log`` and ``GET /_summary`` read the log, ``POST /_reset`` empties it,
``POST /_script`` changes the script.
"""

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from model_server import Script
from model_server.running import RunningSite


def main() -> None:
    """Serve until a signal comes, or (``--until-eof``) until the starter closes our standard input."""
    parser = argparse.ArgumentParser(description="A local OpenAI-compatible server for tests.")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--script", type=Path, help="JSON file with the fields of Script")
    parser.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    given = parser.parse_args()
    script = Script.model_validate_json(given.script.read_bytes()) if given.script else Script()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(script, given.port, given.until_eof))


async def _serve(script: Script, port: int, until_eof: bool) -> None:
    site = RunningSite(script, port)
    print(await site.start(), flush=True)
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, ended.set)
    if until_eof:
        loop.add_reader(sys.stdin.fileno(), _end_at_eof, ended)
    await ended.wait()
    await site.stop()


def _end_at_eof(ended: asyncio.Event) -> None:
    if not sys.stdin.readline():
        ended.set()


if __name__ == "__main__":
    main()

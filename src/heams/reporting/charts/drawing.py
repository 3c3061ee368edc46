"""The other side of ``drawing_process``: starts it when it is needed, asks it one thing at a time, ends it in the end.

A renderer holds a JavaScript engine, which stays out of this process: it takes 75 MB, and a crash takes its process
along. Pipes instead of ``multiprocessing``: nothing imports the main program again, and the process ends with ours,
however that ends, because its input does.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from heams.reporting.charts.errors import ChartError

_PROGRAM = Path(__file__).with_name("drawing_process.py")
_SECONDS = 60.0
"""A chart takes a tenth of a second; after this the process is stuck."""
_SECONDS_TO_END = 5.0


class DrawingProcess:
    """Draws specifications; threads wait for each other. Usable again after ``close`` and after a crash."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def draw(self, specification: str) -> str:
        """The SVG of a Vega-Lite specification (JSON in one line), as the renderer wrote it.

        Raises:
            ChartError: the specification cannot be drawn, or the process ended.
        """
        with self._lock:
            reply = self._ask(specification)
        if "error" in reply:
            raise ChartError(f"a chart cannot be drawn: {reply['error']}")
        return reply["svg"]

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _ask(self, specification: str) -> dict[str, str]:
        process = self._running()
        assert process.stdin is not None and process.stdout is not None  # noqa: PT018, S101 - both are pipes
        watchdog = threading.Timer(_SECONDS, process.kill)
        watchdog.start()
        try:
            process.stdin.write(specification.encode() + b"\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = b""
        finally:
            watchdog.cancel()
        if not answer.endswith(b"\n"):
            code = self._end()
            raise ChartError(f"a chart cannot be drawn: the process that draws ended with code {code}")
        reply: dict[str, str] = json.loads(answer)
        return reply

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._owner != os.getpid():  # after a fork the pipes are still those of the parent
            self._owner = os.getpid()
            self._process = _started()
        return self._process

    def _end(self) -> int | None:
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return None
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)
        try:
            return process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _close(pipe: object) -> None:
    try:
        pipe.close()  # type: ignore[attr-defined]
    except OSError:
        return  # a dead process leaves unsent bytes behind


def _started() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the program that asks
        )
    except OSError as cause:
        raise ChartError(f"the process that draws charts does not start: {cause.strerror or cause}") from None


shared = DrawingProcess()
"""The process that everyone uses: started by the first chart."""
atexit.register(shared.close)

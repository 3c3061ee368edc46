"""`heams browse` as a program of its own, as a user starts it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HEAMS = (sys.executable, "-c", "from heams.cli.main import main; main()")
_SAID = re.compile(r"heams browse: [\d,]+ experiments? at (http://127\.0\.0\.1:\d+)/ \(Ctrl-C ends\)\n")
_PATIENCE_SECONDS = 30


@contextmanager
def browsing(*results: Path) -> Iterator[str]:
    """Serve ``results``; yields the address without a slash at its end.

    Whatever the program writes besides its one line is a fault: a traceback of a page ends up there.
    """
    command = [*HEAMS, "browse", *map(str, results), "--no-open"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        found = _SAID.fullmatch(server.stdout.readline())
        try:
            assert found is not None, server.communicate(timeout=_PATIENCE_SECONDS)[1]
            yield found[1]
        finally:
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=_PATIENCE_SECONDS)
    assert (server.returncode, out, err) == (0, "", ""), f"exit code {server.returncode}\n{out}\n{err}"

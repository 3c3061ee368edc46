"""Servers as child processes: a free port on loopback, and a child that does not outlive its starter."""

import ctypes
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

HOST = "127.0.0.1"
LONGEST_START = 60.0
_PR_SET_PDEATHSIG = 1


def free_port() -> int:
    """A port on loopback that nobody listens on just now."""
    with closing(socket.socket()) as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def start_child(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process that gets SIGINT when its starter dies, however it dies (on Linux)."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_dying_with_parent(), **options)


def wait_until_it_listens(process: subprocess.Popen[bytes], port: int, explain: Callable[[], str]) -> None:
    """Return once the process takes connections on its port; RuntimeError with its own words when it ended instead."""
    deadline = time.monotonic() + LONGEST_START
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}: {explain()}")
        with closing(socket.socket()) as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.01)
    raise RuntimeError(f"the server does not listen after {LONGEST_START:.0f} s: {explain()}")


def _dying_with_parent() -> Callable[[], object] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # looked up before the fork
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGINT)

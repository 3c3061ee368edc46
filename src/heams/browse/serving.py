"""Serves the pages on this machine: a port that is free, one line that says where, a quiet end."""

import errno
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from types import FrameType
from typing import NoReturn

import uvicorn
from starlette.types import ASGIApp

from heams.browse.errors import BrowseError

FIRST_PORT = 7575
_PORTS_TRIED = 100
_WAITING_CONNECTIONS = 128
_GRACE_SECONDS = 1


class PortTakenError(BrowseError):
    """Another program listens there."""


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens on ``port``; without one on the first free port from 7575.

    Raises:
        BrowseError: the port is taken, no port is free, or this machine has no such address.
    """
    if port is not None:
        return _bound(host, port)
    for candidate in range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED):
        try:
            return _bound(host, candidate)
        except PortTakenError:
            continue
    last = FIRST_PORT + _PORTS_TRIED - 1
    raise BrowseError(f"all ports from {FIRST_PORT} to {last} are taken; name another with --port")


def serve(app: ASGIApp, on: socket.socket, *, when_ready: Callable[[], None] = lambda: None) -> None:
    """Answer requests until Ctrl-C; ``when_ready`` is called as soon as the first would be answered.

    Raises:
        SystemExit: another signal than that of Ctrl-C ended it.
    """
    server = _Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )
    with _handled((signal.SIGINT, *_endings()), server.end):
        when_ready()  # the socket listens already: whoever connects now waits in its queue
        server.run(sockets=[on])
    if server.ended_by not in (None, signal.SIGINT):
        raise SystemExit(128 + server.ended_by)


@contextmanager
def tidy_end() -> Iterator[None]:
    """Within it, signals that end a process raise ``SystemExit``, so that everybody tidies up.

    Raises:
        SystemExit: there was such a signal.
    """
    with _handled(_endings(), _exit):
        yield


class _Server(uvicorn.Server):
    """Ends by a signal at any moment, also before its event loop runs: an exception would then come too early."""

    ended_by: int | None = None

    def end(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: end when what is being answered was answered; at a second Ctrl-C at once.

        Answers that take longer are cut off, which is what was asked for and no fault to report.
        """
        self.ended_by = self.ended_by or number
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)
        self.handle_exit(number, frame)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave them as they are: ``end`` handles them already, and longer."""
        yield


def address(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}/"


def open_browser(url: str) -> None:
    """Show the page, where this machine has a screen; it does not wait for the browser."""
    if sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys():
        return  # a browser of the terminal would take its place
    Thread(target=webbrowser.open, args=(url,), name="heams-browse-open", daemon=True).start()


def _endings() -> list[int]:
    """Signals that end a process from outside, ``SIGHUP`` when its terminal is closed; not those that it ignores."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def _handled(numbers: Sequence[int], handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def _exit(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError:
        raise BrowseError(f"--host {host}: this machine knows no such name or address") from None
    listener = socket.socket(family, kind, protocol)  # asyncio sends at once only where the protocol is named
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(_WAITING_CONNECTIONS)
    except OSError as cause:
        listener.close()
        raise _refused(host, port, cause) from None
    return listener


def _refused(host: str, port: int, cause: OSError) -> BrowseError:
    if cause.errno == errno.EADDRINUSE:
        return PortTakenError(f"port {port} is taken by another program; name another with --port, or leave --port out")
    if cause.errno == errno.EACCES:
        return BrowseError(f"port {port} may not be used by this account; ports from 1024 on usually may")
    if cause.errno == errno.EADDRNOTAVAIL:
        return BrowseError(f"--host {host}: this machine has no such address")
    return BrowseError(f"cannot listen on {host}, port {port}: {cause.strerror or cause}")

"""A subprocess in a process group of its own: lines from its stdout, the tail of its stderr, and how it ended."""

import asyncio
import atexit
import os
import signal
from collections.abc import Callable, Sequence
from typing import cast

from heams.external.last_words import last_words
from heams.external.launch import Launch, launch_problem
from heams.external.streams import LineBuffer, LineTooLong, Tail

SHUTDOWN_GRACE_S = 1.0
"""How long a program may take to leave after its stdin was closed."""

_LINGER_S = 1.0
"""How long a program may live on after it closed its stdin or stdout; that is usually its way of ending."""

_STDIN, _STDOUT = 0, 1
_live_groups: set[int] = set()


class ChildProcess(asyncio.SubprocessProtocol):
    """One running program.

    ``on_lines`` receives complete lines without their newline, in order. ``on_end`` is called once with the reason in
    words, when nothing more will come.
    """

    def __init__(self, on_lines: Callable[[Sequence[bytes]], None], on_end: Callable[[str], None]) -> None:
        self._on_lines = on_lines
        self._on_end = on_end
        self._lines = LineBuffer()
        self._tail = Tail()
        self._linger: asyncio.TimerHandle | None = None
        self._closing = False
        self._over = False
        self._gone = asyncio.Event()

    async def start(self, launch: Launch) -> None:
        """Start the program. Called once. Raises ConfigError where the system refuses."""
        loop = asyncio.get_running_loop()
        try:
            await loop.subprocess_exec(
                lambda: self, *launch.command, cwd=launch.cwd, env=launch.environment, start_new_session=True
            )
        except OSError as error:
            raise launch_problem(launch, error) from None

    @property
    def last_words(self) -> str:
        """The last lines on stderr, as the end of a message; empty where there are none."""
        return last_words(self._tail.lines())

    def write(self, line: bytes) -> None:
        """Send a line. A program that has closed its stdin does not get it; its end is reported anyway."""
        if not self._stdin.is_closing():
            self._stdin.write(line + b"\n")

    def kill(self) -> None:
        """End the program and everything that it started, at once."""
        _kill_group(self._pid)

    async def close(self, grace_s: float | None = None) -> None:
        """Close stdin, which asks the program to leave; kill what is still there after a time of grace."""
        self._closing = True
        self._stdin.close()
        try:
            await self._wait_gone(SHUTDOWN_GRACE_S if grace_s is None else grace_s)
        finally:
            self._finish("it did not leave when it was asked to")
        await self._wait_gone(SHUTDOWN_GRACE_S)

    @property
    def _stdin(self) -> asyncio.WriteTransport:
        return cast("asyncio.WriteTransport", self._transport.get_pipe_transport(_STDIN))

    async def _wait_gone(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._gone.wait()
        except TimeoutError:
            return

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio when the program runs."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._pid = self._transport.get_pid()
        _live_groups.add(self._pid)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Called by asyncio with what the program wrote."""
        if fd != _STDOUT:
            self._tail.feed(data)
            return
        try:
            lines = self._lines.feed(data)
        except LineTooLong as fault:
            self._finish(f"it {fault}")
        else:
            self._on_lines(lines)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Called by asyncio when the program closed a pipe."""
        if fd in (_STDIN, _STDOUT):
            self._begin_to_end(f"it closed its {'stdin' if fd == _STDIN else 'stdout'}")

    def process_exited(self) -> None:
        """Called by asyncio when the program has ended; its last output may not have been read yet."""
        self._begin_to_end("it ended")

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio when the program has ended and all its output was read."""
        self._gone.set()
        self._finish(self._how_it_ended("it ended"))

    def _begin_to_end(self, sign: str) -> None:
        if self._linger is None and not self._closing and not self._over:
            loop = asyncio.get_running_loop()
            self._linger = loop.call_later(_LINGER_S, lambda: self._finish(self._how_it_ended(sign)))

    def _how_it_ended(self, sign: str) -> str:
        code = self._transport.get_returncode()
        if code is None:
            return sign
        return f"it was ended by {_signal_name(-code)}" if code < 0 else f"it ended with exit code {code}"

    def _finish(self, how: str) -> None:
        """Whatever is left of the program goes: children that it started may hold its pipes open."""
        if self._over:
            return
        self._over = True
        if self._linger is not None:
            self._linger.cancel()
        self.kill()
        _live_groups.discard(self._pid)
        self._transport.close()
        self._on_end(how)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _kill_group(pid: int) -> None:
    if pid not in _live_groups:  # the number may belong to somebody else by now
        return
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


@atexit.register
def _kill_leftovers() -> None:
    """Programs whose run was cut off before it could close them."""
    for pid in tuple(_live_groups):
        _kill_group(pid)

"""How the server ends: by a signal at any moment, quietly, with the exit code that the signal asks for."""

import signal
import socket
from threading import Thread

import httpx
import pytest
from anyio import sleep_forever
from starlette.types import Receive, Scope, Send

from heams.browse.serving import listening, serve, tidy_end


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that nobody asks."""


def test_ctrl_c_before_the_first_moment_of_the_server_ends_it() -> None:
    serve(nothing, listening("127.0.0.1", 0), when_ready=lambda: signal.raise_signal(signal.SIGINT))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_another_signal_before_the_first_moment_ends_it_with_its_code(number: signal.Signals) -> None:
    with pytest.raises(SystemExit) as ended:
        serve(nothing, listening("127.0.0.1", 0), when_ready=lambda: signal.raise_signal(number))
    assert ended.value.code == 128 + number


def test_what_handles_signals_is_as_before_afterwards() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    with tidy_end():
        serve(nothing, listening("127.0.0.1", 0), when_ready=lambda: signal.raise_signal(signal.SIGINT))
    assert [signal.getsignal(number) for number in numbers] == before


def test_a_signal_before_anything_is_served_lets_everybody_tidy_up() -> None:
    with pytest.raises(SystemExit) as ended, tidy_end():
        signal.raise_signal(signal.SIGHUP)
    assert ended.value.code == 128 + signal.SIGHUP


def test_who_ignores_a_closed_terminal_goes_on_serving() -> None:
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with tidy_end():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, former)


def test_an_answer_that_takes_too_long_is_cut_off_without_a_word(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        signal.raise_signal(signal.SIGINT)
        await sleep_forever()

    monkeypatch.setattr("heams.browse.serving._GRACE_SECONDS", 0.05)
    listener = listening("127.0.0.1", 0)
    asker = Thread(target=_ask, args=(listener.getsockname(),))
    serve(endless, listener, when_ready=asker.start)
    asker.join()
    assert capfd.readouterr().err == ""


def _ask(where: tuple[str, int]) -> None:
    with pytest.raises((httpx.TransportError, socket.error, AssertionError)):
        assert not httpx.get(f"http://{where[0]}:{where[1]}/", timeout=30).is_error

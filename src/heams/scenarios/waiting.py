"""Time spent waiting for a busy component, kept apart from the time that the work itself took.

A program that takes one request at a time lets others queue. How long they queue says how many scenarios are played at
once, and nothing about the program, so latencies must not contain it. Neither must they contain what a run does for its
own records, which is set aside.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from time import perf_counter
from types import TracebackType
from typing import Self

_present: "ContextVar[TimeSpent | None]" = ContextVar("time_spent", default=None)


class TimeSpent:
    """Seconds of a ``with`` block: ``waited`` for a turn, and ``worked``, which is the rest. Known after the block.

    Blocks nest: what is waited in an inner one counts for the outer ones too. Where tasks wait side by side their
    waiting adds up, but never to more than the block took. ``aside`` are seconds that are neither.
    """

    __slots__ = ("_began", "_outer", "_token", "aside", "waited", "worked")

    def __init__(self) -> None:
        self.worked = 0.0
        self.waited = 0.0
        self.aside = 0.0
        self._outer: TimeSpent | None = None

    def __enter__(self) -> Self:
        self._outer = _present.get()
        self._token: Token[TimeSpent | None] = _present.set(self)
        self._began = perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        elapsed = perf_counter() - self._began
        _present.reset(self._token)
        self.aside = min(self.aside, elapsed)
        self.waited = min(self.waited, elapsed - self.aside)
        self.worked = elapsed - self.aside - self.waited
        if self._outer is not None:
            self._outer.waited += self.waited
            self._outer.aside += self.aside


def note_waiting(seconds: float) -> None:
    """Say that the present task has waited for its turn. Outside of a ``TimeSpent`` block nobody minds."""
    present = _present.get()
    if present is not None:
        present.waited += seconds


@contextmanager
def time_set_aside() -> Iterator[None]:
    """What happens in the block, waiting included, is neither work nor waiting of the blocks around it."""
    present, token, began = _present.get(), _present.set(None), perf_counter()
    try:
        yield
    finally:
        _present.reset(token)
        if present is not None:
            present.aside += perf_counter() - began

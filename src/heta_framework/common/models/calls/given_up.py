"""What a call had consumed when it was given up.

A call that is cancelled returns nothing and raises nothing that could carry counts, yet a request may be on its way.
So whoever counts listens, and the layer that makes the attempts tells. The listener travels with the context, also
into tasks that are started for the call.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int, int], None]
"""Is told the retries, and the attempts that were possibly billed."""

_listener: ContextVar[Listener | None] = ContextVar("heta_given_up_listener", default=None)


@contextmanager
def told_when_given_up(listener: Listener) -> Iterator[None]:
    """Tell ``listener`` of calls that are made inside and given up."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell_given_up(retries: int, possibly_billed: int) -> None:
    """The present call is given up."""
    listener = _listener.get()
    if listener is not None:
        listener(retries, possibly_billed)

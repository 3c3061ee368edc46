"""Short computations in worker threads, few at a time, so that the event loop keeps its share of the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

# whoever wants the interpreter waits for each thread that computes in it, 5 ms each by default: with forty threads, as
# many as anyio starts, the loop would stand still for a fifth of a second
_AT_ONCE = 4
_limiter: RunVar[CapacityLimiter] = RunVar("heta_framework.computing")

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")


async def compute(function: Callable[[*_Arguments], _Result], *arguments: *_Arguments) -> _Result:
    """What the function returns, run in a worker thread; at most four run at once in an event loop.

    For work that the processor does. What waits, for a disk or a server, takes no turn here.
    """
    return await to_thread.run_sync(function, *arguments, limiter=_turns())


def _turns() -> CapacityLimiter:
    try:
        return _limiter.get()
    except LookupError:
        _limiter.set(CapacityLimiter(_AT_ONCE))
        return _limiter.get()

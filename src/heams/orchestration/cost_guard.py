"""Winds a run down when it has spent what it may, and knows which work was refused a model call for that.

A component may swallow the refusal (many libraries go on when a model call fails), so the work is known by the scope
of the call that was refused, not by the exception that comes out of it.
"""

from collections.abc import Callable
from weakref import WeakSet

from heams.orchestration.call_watch import CallWatch
from heams.orchestration.stopping import StopSignal
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.scope import CallScope, active_scope
from heta_framework.common.models.errors import CostLimitReached


class CostGuard:
    """For one run. ``refuse`` is called for every call that is not made; ``reason`` words why."""

    def __init__(self, stop: StopSignal, reason: Callable[[], str] = lambda: "the run has spent what it may") -> None:
        self._stop = stop
        self._reason = reason
        self._scopes: WeakSet[CallScope] = WeakSet()
        self._unknown = False

    def refuse(self) -> None:
        """A call of the active scope is not made."""
        scope = active_scope()
        if scope is None:
            self._unknown = True
        else:
            self._scopes.add(scope)
        self._stop.wind_down(self._reason)

    def check(self, *scopes: CallScope) -> None:
        """Make sure that no call of these scopes was refused; without a scope it could have been anybody's.

        Raises:
            CostLimitReached: one was, so what was done in them is not whole.
        """
        if self._unknown or any(scope in self._scopes for scope in scopes):
            raise CostLimitReached(self._reason())


class GuardedMeter(MeterLayer):
    """A meter that tells ``guard`` of every call that it refuses, and ``watch`` how the others end."""

    def __init__(self, guard: CostGuard, watch: CallWatch, max_cost_usd: float | None) -> None:
        super().__init__(max_cost_usd=max_cost_usd)
        self._guard = guard
        self._watch = watch

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """Let the call through and count it.

        Raises:
            CostLimitReached: the run has spent what it may.
        """
        try:
            with self._watch.failures_of(call):
                reply = await super().__call__(call, handle)
        except CostLimitReached:
            self._guard.refuse()
            raise
        self._watch.answered(call, reply)
        return reply

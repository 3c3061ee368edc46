"""What all model calls of a run share: cache, cassette, cost limit, limits per endpoint, and the layers over them.

The order of the layers is fixed: meter -> record/replay -> cache -> limit -> retry -> provider. So a cassette holds
what a run was told, also from the cache; a hit takes no slot; a slot is held while a call is tried again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import Context, ContextVar
from dataclasses import replace
from functools import partial
from typing import TypeVar, cast

from heta_framework.common.models.calls.activity import Activity
from heta_framework.common.models.calls.call import Handler, Layer, ModelCall, ModelReply
from heta_framework.common.models.calls.limit import LimitLayer
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.retry import RetryLayer
from heta_framework.common.models.calls.shared import SharedResources
from heta_framework.common.models.redaction import without_keys

T = TypeVar("T")


class ModelRuntime:
    """The path of every call. ``recording`` and ``cache`` are layers, or None where they are not wanted."""

    def __init__(
        self,
        *,
        meter: MeterLayer | None = None,
        recording: Layer | None = None,
        cache: Layer | None = None,
        limit: LimitLayer | None = None,
        replaying: bool = False,
    ) -> None:
        self.meter = meter or MeterLayer()
        self.limit = limit or LimitLayer()
        self.replaying = replaying
        layers = (self.meter, recording, cache, self.limit, RetryLayer(self.limit))
        self._handle = _composed([layer for layer in layers if layer is not None])
        self._shared = SharedResources()

    async def ask(self, call: ModelCall) -> ModelReply:
        """Send one call down the path.

        Raises:
            CallFailed: it failed for good.
            CostLimitReached: the run has spent what it may.
            ReplayMiss: the cassette does not hold it.
        """
        return await self._handle(call)

    def activity(self) -> Activity:
        """How many calls are under way, wait, or back off at this moment."""
        return self.limit.activity()

    async def shared(self, key: str, open: Callable[[], AbstractAsyncContextManager[T]]) -> T:  # noqa: A002 - reads well
        """What ``open`` opens, once for everybody who asks for ``key``; ``aclose`` closes it.

        It is opened in a context of its own: inside it this runtime is the present one, and no scope is active.

        Raises:
            Exception: what opening raised; the next who asks tries again.
        """
        context = Context()
        context.run(_current.set, self)
        return cast("T", await self._shared.get(key, open, context))

    async def aclose(self) -> None:
        """Close what was shared. Calls can still be made; what they share is opened again."""
        await self._shared.aclose()


async def _send(call: ModelCall) -> ModelReply:
    reply = await call.send()
    return replace(reply, body=without_keys(reply.body))  # some endpoints repeat the key, and replies are kept


def _composed(layers: Sequence[Layer]) -> Handler:
    handle: Handler = _send
    for layer in reversed(layers):
        handle = partial(_through, layer, handle)
    return handle


async def _through(layer: Layer, below: Handler, call: ModelCall) -> ModelReply:
    return await layer(call, below)


_current: ContextVar[ModelRuntime | None] = ContextVar("heta_model_runtime", default=None)
_plain: list[ModelRuntime] = []


def current_runtime() -> ModelRuntime:
    """The runtime of the present run; outside of one, a plain one that meters, limits and retries."""
    found = _current.get()
    if found is not None:
        return found
    if not _plain:
        _plain.append(ModelRuntime())
    return _plain[0]


@contextmanager
def using_runtime(runtime: ModelRuntime) -> Iterator[ModelRuntime]:
    """Make ``runtime`` the one that calls made inside take."""
    token = _current.set(runtime)
    try:
        yield runtime
    finally:
        _current.reset(token)

"""Opens the path that all model calls of a run take, with cache, cassette and cost limit where they are wanted."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from heams.orchestration.call_watch import CallWatch
from heams.orchestration.cost_guard import CostGuard, GuardedMeter
from heams.orchestration.errors import RunRefused
from heams.orchestration.listener import RunListener
from heams.orchestration.options import RunOptions
from heams.orchestration.stopping import StopSignal
from heams.orchestration.store import StoreError
from heta_framework.common.models.calls.call import Layer
from heta_framework.common.models.calls.cassette import CassetteError
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime

_NAME = "model calls"


@asynccontextmanager
async def model_path(
    options: RunOptions, stop: StopSignal, listener: RunListener, watch: CallWatch
) -> AsyncIterator[CostGuard]:
    """Make the path the present one; at the end everything is written that is still to be written.

    Raises:
        RunRefused: cache or cassette cannot be used.
        StoreError: what was recorded cannot be brought to the disk.
    """
    guard = CostGuard(stop, lambda: _spent(meter, options))
    meter = GuardedMeter(guard, watch, options.max_cost_usd)
    try:
        async with AsyncExitStack() as layers:
            runtime = ModelRuntime(
                meter=meter,
                recording=await _recording(options, listener, layers),
                cache=await _cache(options.cache_dir, listener, layers),
                replaying=options.replay is not None,
            )
            layers.push_async_callback(runtime.aclose)
            layers.enter_context(using_runtime(runtime))
            listener.models_ready(runtime)
            yield guard
    except CassetteError as cause:
        raise StoreError(str(cause)) from cause


def _spent(meter: MeterLayer, options: RunOptions) -> str:
    return f"model calls have cost ${meter.spent_usd:.4f} of the ${options.max_cost_usd or 0:g} that may be spent"


async def _cache(directory: Path | None, listener: RunListener, layers: AsyncExitStack) -> Layer | None:
    if directory is None:
        return None
    from heta_framework.common.models.calls.cache import open_cache_layer
    from heta_framework.common.models.calls.cache_file import CacheError

    try:
        layer = open_cache_layer(directory, partial(listener.note, _NAME))
    except CacheError as cause:
        raise RunRefused(str(cause)) from cause
    return await layers.enter_async_context(layer)


async def _recording(options: RunOptions, listener: RunListener, layers: AsyncExitStack) -> Layer | None:
    say = partial(listener.note, _NAME)
    try:
        if options.replay is not None:
            from heta_framework.common.models.calls.replaying import ReplayLayer

            return await layers.enter_async_context(ReplayLayer.open(options.replay, say))
        if options.record is not None:
            from heta_framework.common.models.calls.recording import RecordingLayer

            return await layers.enter_async_context(RecordingLayer.open(options.record, say))
    except CassetteError as cause:
        raise RunRefused(str(cause)) from cause
    return None

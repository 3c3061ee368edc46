"""Plays an experiment's scenarios: many at once on one event loop, each result durable before it is counted."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from heams.orchestration.attempt import ScenarioAttempts
from heams.orchestration.plan import Planned
from heams.orchestration.results import RunResult
from heams.orchestration.savable import savable
from heams.orchestration.stopping import StopSignal
from heams.orchestration.store import RUNS, ResultWriter
from heams.orchestration.turnstile import Turnstile
from heta_framework.common.models.errors import CostLimitReached, ReplayMiss

GRACE_S = 5.0
"""How long scenarios that are under way may go on after a stop was asked for."""


class LocalExecutor:
    """Workers that share one plan. ``on_durable`` is called for each line that is on the disk."""

    def __init__(
        self,
        attempts: ScenarioAttempts,
        writer: ResultWriter,
        *,
        concurrency: int,
        retries: int,
        stop: StopSignal,
        on_durable: Callable[[RunResult, bool], None],
    ) -> None:
        self._attempts = attempts
        self._writer = writer
        self._concurrency = concurrency
        self._retries = retries
        self._stop = stop
        self._on_durable = on_durable
        self._turnstile = Turnstile()

    async def run(self, planned: Iterator[Planned]) -> None:
        """Play everything that is planned, or until the stop signal.

        Raises:
            RunRefused, StoreError, DuplicateSampleId: the run as a whole cannot go on. What is durable stays.
        """
        workers = {asyncio.create_task(self._work(planned)) for _ in range(self._concurrency)}
        watcher = asyncio.create_task(self._watch_stop(workers))
        try:
            done, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
            failure = next((task.exception() for task in done if not task.cancelled() and task.exception()), None)
            if failure is not None:
                raise failure
        finally:
            watcher.cancel()
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, watcher, return_exceptions=True)

    async def _work(self, planned: Iterator[Planned]) -> None:
        for item in planned:
            if self._stop.requested:
                return
            await self._writer.wait_for_room()
            await self._turnstile.passed()
            with suppress(CostLimitReached):  # nothing is saved of it; the run is winding down
                await self._until_completed(item)

    async def _until_completed(self, item: Planned) -> None:
        for attempt in range(item.attempt, item.attempt + self._retries + 1):
            result, line = savable(await self._attempts.play(item, attempt))
            last = attempt == item.attempt + self._retries or self._stop.requested
            final = result.status == "completed" or last or _is_hopeless(result)
            self._writer.submit(RUNS, line, partial(self._on_durable, result, final))
            if final:
                return

    async def _watch_stop(self, workers: "set[asyncio.Task[None]]") -> None:
        await self._stop.event.wait()
        try:
            async with asyncio.timeout(GRACE_S):
                await self._stop.at_once.wait()
        except TimeoutError:
            pass
        for worker in workers:
            worker.cancel()


def _is_hopeless(result: RunResult) -> bool:
    """Whether another attempt would fail in the same way."""
    return result.error is not None and result.error.type == ReplayMiss.__name__

"""The agent and the memory system of an experiment, started for its length."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from heams.agents.base import Agent
from heams.memory.base import MemorySystem
from heams.orchestration.cancellation import cancellation_was_asked_for
from heams.orchestration.component_types import create_component
from heams.orchestration.errors import RunRefused, StoppedEarly, describe_error
from heams.orchestration.experiment import Component, Experiment
from heams.orchestration.redaction import Redactor
from heams.orchestration.stopping import StopSignal

START_TIMEOUT_S = 120.0
CLOSE_TIMEOUT_S = 30.0


@asynccontextmanager
async def started(experiment: Experiment, stop: StopSignal) -> AsyncIterator[tuple[Agent, MemorySystem]]:
    """Build, start and finally close both components.

    Raises:
        RunRefused: one of them cannot be built or started, or they do not fit together.
        StoppedEarly: a stop was asked for meanwhile.
    """
    agent, system = _built(experiment)
    try:
        await _start(experiment, agent, system, stop)
        yield agent, system
    finally:
        await asyncio.gather(_closed(agent), _closed(system))


def _built(experiment: Experiment) -> tuple[Agent, MemorySystem]:
    built: list[Any] = []
    for part in (experiment.agent, experiment.memory_system):
        try:
            built.append(create_component(part.kind, part.config))
        except Exception as cause:  # a component may be anybody's code
            raise _unstartable(experiment, part, cause) from cause
    agent, system = built
    return cast("Agent", agent), cast("MemorySystem", system)


async def _start(experiment: Experiment, agent: Agent, system: MemorySystem, stop: StopSignal) -> None:
    starting = experiment.agent

    async def both() -> None:
        nonlocal starting
        await agent.start()
        starting = experiment.memory_system
        await system.start()

    try:
        await _unless_stopped(both(), stop)
    except StoppedEarly:
        raise
    except (Exception, asyncio.CancelledError) as cause:  # a component may fail in any way; nothing was played yet
        if cancellation_was_asked_for():
            raise
        raise _unstartable(experiment, starting, cause) from cause
    _check_fit(experiment, agent)


async def _unless_stopped(work: Coroutine[Any, Any, None], stop: StopSignal) -> None:
    starting = asyncio.create_task(work)
    stopping = asyncio.create_task(stop.event.wait())
    try:
        await asyncio.wait({starting, stopping}, timeout=START_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            raise StoppedEarly if stop.requested else TimeoutError
        starting.result()
    finally:
        starting.cancel()
        stopping.cancel()


def _check_fit(experiment: Experiment, agent: Agent) -> None:
    if agent.capabilities.owns_memory and experiment.memory_system.type != "no_memory":
        raise RunRefused(
            f"experiment {experiment.name!r}: the agent owns its memory, so its memory system must be "
            f"'no_memory' (found {experiment.memory_system.type!r})"
        )


def _unstartable(experiment: Experiment, part: Component, cause: BaseException) -> RunRefused:
    error = Redactor.of(experiment).error(describe_error("start", cause, START_TIMEOUT_S))
    return RunRefused(f"experiment {experiment.name!r} cannot start: {part.place}: {error.message}")


async def _closed(component: Agent | MemorySystem) -> None:
    with suppress(Exception):  # results are on disk; a component that cannot close owes nothing more
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await component.close()

"""The agent and the memory system of an experiment, started for its length."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from heams.agents.base import Agent
from heams.memory.base import MemorySystem
from heams.orchestration.component_types import create_component
from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Experiment


@asynccontextmanager
async def started(experiment: Experiment) -> AsyncIterator[tuple[Agent, MemorySystem]]:
    """Build, start and finally close both components.

    Raises:
        RunRefused: one of them cannot start, or they do not fit together.
    """
    agent = cast("Agent", create_component("agent", experiment.agent.config))
    system = cast("MemorySystem", create_component("memory_system", experiment.memory_system.config))
    try:
        await _start(experiment, agent, system)
        yield agent, system
    finally:
        await asyncio.gather(agent.close(), system.close(), return_exceptions=True)


async def _start(experiment: Experiment, agent: Agent, system: MemorySystem) -> None:
    try:
        await agent.start()
        await system.start()
    except Exception as cause:  # a component may fail in any way; nothing was played yet
        raise RunRefused(f"experiment {experiment.name!r} cannot start: {cause}") from cause
    if agent.capabilities.owns_memory and experiment.memory_system.type != "no_memory":
        raise RunRefused(
            f"experiment {experiment.name!r}: the agent owns its memory, so its memory system must be "
            f"'no_memory' (found {experiment.memory_system.type!r})"
        )

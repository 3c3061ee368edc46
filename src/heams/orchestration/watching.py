"""Decides whether the memory of a scenario is watched, by the setting ``memory_changes`` and by what lives where."""

from dataclasses import dataclass

from heams.agents.base import AgentSession
from heams.memory.base import Memory, MemorySystem
from heams.orchestration.histories import Lease
from heams.scenarios.memory_changes import MemoryChanges
from heams.scenarios.memory_watch import MemoryWatch
from heams.scenarios.watched import OwnedMemory, WatchedMemory, WatchedSession

_ELSEWHERE = "the memory is kept by another program, which only 'memory_changes: all' looks into"


@dataclass(frozen=True, slots=True)
class Played:
    """What a scenario is played on; ``watch`` is None where nothing is recorded of the memory's changes."""

    memory: Memory
    session: AgentSession
    watch: MemoryWatch | None = None


def watched(lease: Lease, settings: MemoryChanges, system: MemorySystem, *, agent_owns_memory: bool) -> Played:
    """The state of ``lease``, watched where its memory can change and be looked into.

    Of a memory in another program that is not looked into, steps say so. An agent that owns its memory is another
    matter: nobody but itself knows when that changes, so it is watched at every action or, mostly, not at all.
    """
    if agent_owns_memory:
        if settings.record != "all":
            return Played(lease.memory, lease.session)
        watch = MemoryWatch(OwnedMemory(lease.session), settings.max_items)
        return Played(lease.memory, WatchedSession(lease.session, watch), watch)
    capabilities = system.capabilities
    if settings.record == "off" or not capabilities.dump or lease.isolation == "read_only":
        return Played(lease.memory, lease.session)
    blind = _ELSEWHERE if system.remote and settings.record != "all" else None
    watch = MemoryWatch(lease.memory, settings.max_items, blind=blind)
    return Played(WatchedMemory(lease.memory, watch, minds_clock=capabilities.clock), lease.session, watch)

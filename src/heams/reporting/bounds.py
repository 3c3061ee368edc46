"""Which experiments are reference points rather than competitors.

A ``Bound`` is called a reference in what people read: it bounds some metrics and not others. Where declining to answer
is right, a memory that remembers nothing may well lead.

``no_memory`` shows what can be answered without remembering; ``full_context`` and ``oracle`` show what the agent makes
of the whole history, and of exactly the evidence. An agent that owns its memory is also configured with ``no_memory``,
and is no bound.
"""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any

from heams.reporting.saved import part


class Bound(Enum):
    """A kind of reference point; ``position`` sorts it in tables (competitors have 0)."""

    NO_MEMORY = ("lower reference", "it remembers nothing", -1)
    OTHER = ("reference", "its memory declares itself a reference point", 1)
    FULL_CONTEXT = ("upper reference", "it hands the whole history to the agent", 2)
    ORACLE = ("upper reference", "it is told which events hold the answer", 3)

    def __init__(self, label: str, why: str, position: int) -> None:
        self.label = label
        self.why = why
        self.position = position


_BY_TYPE = {"no_memory": Bound.NO_MEMORY, "full_context": Bound.FULL_CONTEXT, "oracle": Bound.ORACLE}


def bound_of(config: Mapping[str, Any], ingestion_modes: Collection[str] = ()) -> Bound | None:
    """The bound that an experiment is, from its saved configuration; None for a competitor.

    ``ingestion_modes`` are those of its ingest records: older configurations do not say that an agent owns its memory.
    """
    if part(config, "provenance", "agent_capabilities").get("owns_memory") or "agent_owned" in ingestion_modes:
        return None
    known = _BY_TYPE.get(str(part(config, "memory_system_config").get("type")))
    if known is not None:
        return known
    return Bound.OTHER if part(config, "provenance", "memory_capabilities").get("bound") else None

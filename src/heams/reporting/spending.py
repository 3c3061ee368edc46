"""What a run consumed, by the part of the run and the role that consumed it.

In artifacts a cost that is missing is an unknown price: a known cost is always written, also when it is 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from heams.reporting.saved import part
from heams.reporting.tables import ExperimentTables

ANSWERS = "answering"
SUPERSEDED = "attempts that were repeated"
INGESTION = "ingestion"
_OUTSIDE = ("command", "http")
_ROLES = {"agent": {"agent"}, "memory_system": {"memory", "embedding"}}


@dataclass(frozen=True, slots=True)
class Spent:
    """Model usage of one role in one part of the run. ``cost_usd`` is None as soon as one price is unknown."""

    part: str
    role: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0
    estimated: bool = False

    def plus(self, other: "Spent") -> "Spent":
        """Both together, under the name of this one."""
        known = self.cost_usd is not None and other.cost_usd is not None
        return replace(
            self,
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=(self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
            estimated=self.estimated or other.estimated,
        )


_SPENT = """
    SELECT CASE WHEN final THEN $answers ELSE $superseded END AS part, entry.key AS role,
           coalesce(sum(entry.value.calls), 0)::BIGINT, coalesce(sum(entry.value.input_tokens), 0)::BIGINT,
           coalesce(sum(entry.value.output_tokens), 0)::BIGINT, coalesce(sum(entry.value.cached_tokens), 0)::BIGINT,
           CASE WHEN count(*) = count(entry.value.cost_usd) THEN fsum(entry.value.cost_usd) END,
           coalesce(bool_or(entry.value.estimated), false)
    FROM (SELECT final, unnest(map_entries(usage)) AS entry FROM spent)
    GROUP BY final, role ORDER BY final DESC, role
"""


def spending(tables: ExperimentTables, ingests: Iterable[Mapping[str, Any]]) -> tuple[Spent, ...]:
    """Usage by part and role; ``ingests`` are the usages of ingest records as they were saved."""
    played = tables.rows(_SPENT, {"answers": ANSWERS, "superseded": SUPERSEDED})
    return (*(Spent(*row) for row in played), *_by_role(ingests))


def total(rows: Iterable[Spent]) -> Spent:
    """Everything together."""
    everything = Spent("total", "")
    for row in rows:
        everything = everything.plus(row)
    return everything


def unreported(config: Mapping[str, Any], rows: Iterable[Spent]) -> tuple[str, ...]:
    """The parts of an experiment that are outside programs and reported no usage at all: it is unknown, and not 0."""
    roles = {row.role for row in rows}
    return tuple(
        kind.replace("_", " ")
        for kind, own_roles in _ROLES.items()
        if part(config, f"{kind}_config").get("type") in _OUTSIDE and not roles & own_roles
    )


def _by_role(usages: Iterable[Mapping[str, Any]]) -> list[Spent]:
    found: dict[str, Spent] = {}
    for by_role in usages:
        for role, usage in by_role.items():
            spent = Spent(
                INGESTION,
                role,
                usage.get("calls", 0),
                usage.get("input_tokens", 0),
                usage.get("output_tokens", 0),
                usage.get("cached_tokens", 0),
                usage.get("cost_usd"),
                usage.get("estimated", False),
            )
            found[role] = found[role].plus(spent) if role in found else spent
    return [found[role] for role in sorted(found)]

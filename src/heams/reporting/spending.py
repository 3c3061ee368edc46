"""What a run consumed, by the part of the run and the role that consumed it.

In artifacts a cost that is missing is an unknown price: a known cost is always written, also when it is 0. Fields that
an older version did not write count as 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from heams.reporting.saved import part
from heams.reporting.tables import Tables
from heta_framework.common.models.usage import Usage

ANSWERS = "answering"
JUDGING = "judging"
SUPERSEDED = "attempts that were repeated"
INGESTION = "ingestion"
_OUTSIDE = ("command", "http")
_ROLES = {"agent": {"agent"}, "memory_system": {"memory", "embedding"}}
_COUNTS = tuple(name for name, field in Usage.model_fields.items() if field.annotation is int)


@dataclass(frozen=True, slots=True)
class Spent:
    """Model usage of one role in one part of the run. Its cost is None as soon as one price is unknown."""

    part: str
    role: str
    usage: Usage = field(default_factory=Usage)

    def plus(self, other: "Spent") -> "Spent":
        """Both together, under the name of this one."""
        return Spent(self.part, self.role, self.usage + other.usage)

    @property
    def hit_rate(self) -> float | None:
        """The share of calls that the cache answered; None where nothing was asked."""
        asked = self.usage.calls + self.usage.cache_hits
        return self.usage.cache_hits / asked if asked else None

    @property
    def seconds_per_call(self) -> float | None:
        """Mean seconds of a whole reply of the provider; None where they were not measured."""
        return self.usage.seconds / self.usage.calls if self.usage.calls and self.usage.seconds else None

    @property
    def full_cost_usd(self) -> float | None:
        """What it would have cost without cache and cassette; None where a price is unknown."""
        cost, saved = self.usage.cost_usd, self.usage.saved_cost_usd
        return None if cost is None or saved is None else cost + saved


_SPENT = f"""
    SELECT CASE WHEN NOT final THEN $superseded WHEN entry.key = 'judge' THEN $judging ELSE $answers END AS part,
           entry.key AS role,
           {", ".join(f"coalesce(sum(entry.value.{name}), 0)::BIGINT" for name in _COUNTS)},
           CASE WHEN count(*) = count(entry.value.cost_usd) THEN fsum(entry.value.cost_usd) END,
           CASE WHEN count(*) FILTER (entry.value.saved_cost_usd IS NULL
                    AND coalesce(entry.value.cache_hits, 0) + coalesce(entry.value.replayed, 0) > 0) = 0
                THEN coalesce(fsum(entry.value.saved_cost_usd), 0) END,
           coalesce(fsum(entry.value.seconds), 0), coalesce(bool_or(entry.value.estimated), false)
    FROM (SELECT final, unnest(map_entries(usage)) AS entry FROM spent)
    GROUP BY final, role ORDER BY final DESC, role = 'judge', role
"""  # noqa: S608 - names of fields


def spending(tables: Tables, ingests: Iterable[Mapping[str, Any]]) -> tuple[Spent, ...]:
    """Usage by part and role; ``ingests`` are the usages of ingest records as they were saved."""
    names = {"answers": ANSWERS, "judging": JUDGING, "superseded": SUPERSEDED}
    played = (_spent(*row) for row in tables.rows(_SPENT, names))
    return (*played, *_by_role(ingests))


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


def _spent(part: str, role: str, *numbers: Any) -> Spent:
    *counts, cost, saved, seconds, estimated = numbers
    named = dict(zip(_COUNTS, counts, strict=True))
    return Spent(part, role, Usage(**named, cost_usd=cost, saved_cost_usd=saved, seconds=seconds, estimated=estimated))


def _by_role(usages: Iterable[Mapping[str, Any]]) -> list[Spent]:
    found: dict[str, Spent] = {}
    for by_role in usages:
        for role, saved in by_role.items():
            spent = Spent(INGESTION, role, Usage.model_validate({"cost_usd": None, **saved}))
            found[role] = found[role].plus(spent) if role in found else spent
    return [found[role] for role in sorted(found)]

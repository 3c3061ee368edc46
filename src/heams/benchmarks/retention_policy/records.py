"""The format of a case: a policy, what was told when, what happened to it, and questions on a simulated clock."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from heams.scenarios.clock import Instant

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Family = Literal[
    "ttl_expired",
    "ttl_boundary",
    "user_delete",
    "supersede",
    "purpose_limit",
    "legal_hold",
    "derived_residue",
    "guess_confirm",
    "retain_control",
]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleRecord(_Record):
    """How many days a category is kept."""

    category: Text
    ttl_days: float = Field(gt=0, strict=True, allow_inf_nan=False)


class PolicyRecord(_Record):
    """A policy, in words for models and as rules for the record."""

    policy_id: Text
    text: Text
    rules: tuple[RuleRecord, ...] = ()
    legal_hold_categories: tuple[Text, ...] = ()


class FactRecord(_Record):
    """Something that is told; ``anchors`` give it away. ``derived_from`` names facts that it repeats or sums up."""

    fact_id: Text
    category: Text
    at: Instant
    text: Text
    anchors: tuple[Text, ...] = Field(min_length=1)
    role: Literal["user", "assistant"] = "user"
    purpose: Text | None = None
    supersedes: tuple[Text, ...] = ()
    derived_from: tuple[Text, ...] = ()


class EventRecord(_Record):
    """What happens to facts: the user has one deleted, a purpose ends, or only time passes."""

    at: Instant
    op: Literal["user_delete", "end_purpose", "advance_clock"]
    fact_id: Text | None = None
    purpose: Text | None = None
    text: Text | None = None

    @model_validator(mode="after")
    def _names_what_it_is_about(self) -> Self:
        needed = {"user_delete": "fact_id", "end_purpose": "purpose"}.get(self.op)
        if needed is not None and getattr(self, needed) is None:
            raise ValueError(f"an event with op {self.op!r} needs {needed!r}")
        return self


class ProbeRecord(_Record):
    """A question about a fact, at a moment; ``anchors`` stand in for the fact's where it asks for something else."""

    probe_id: Text
    at: Instant
    query: Text
    fact_id: Text
    expect: Literal["forgotten", "retained"]
    family: Family
    anchors: tuple[Text, ...] = ()


class CaseRecord(_Record):
    """One case."""

    id: Text
    policy: PolicyRecord
    facts: tuple[FactRecord, ...] = Field(min_length=1)
    events: tuple[EventRecord, ...] = ()
    probes: tuple[ProbeRecord, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _refers_to_what_it_has(self) -> Self:
        known = {fact.fact_id for fact in self.facts}
        if len(known) < len(self.facts):
            raise ValueError("two facts share a fact_id")
        if len({probe.probe_id for probe in self.probes}) < len(self.probes):
            raise ValueError("two probes share a probe_id")
        for where, fact_id in self._references():
            if fact_id not in known:
                raise ValueError(f"{where} refers to the unknown fact {fact_id!r}; known: {', '.join(sorted(known))}")
        return self

    def fact(self, fact_id: str) -> FactRecord:
        """The fact of an id."""
        return next(fact for fact in self.facts if fact.fact_id == fact_id)

    def anchors_of(self, probe: ProbeRecord) -> tuple[str, ...]:
        """What gives away, or shows, what a probe asks for."""
        return probe.anchors or self.fact(probe.fact_id).anchors

    def _references(self) -> Iterator[tuple[str, str]]:
        for fact in self.facts:
            yield from ((f"fact {fact.fact_id!r}", one) for one in (*fact.supersedes, *fact.derived_from))
        yield from (("an event", event.fact_id) for event in self.events if event.fact_id is not None)
        yield from ((f"probe {probe.probe_id!r}", probe.fact_id) for probe in self.probes)

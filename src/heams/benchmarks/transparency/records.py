"""The format of a case: sessions with planted facts, decoys that were never said, deletions, and probes at the end."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from heams.scenarios.actions import Role
from heams.scenarios.clock import Instant

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Kind = Literal["inventory", "presence", "provenance", "inference", "deletion_honesty", "use_disclosure"]
ABOUT_ONE_FACT: frozenset[str] = frozenset({"presence", "provenance", "inference", "deletion_honesty"})


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TurnRecord(_Record):
    """What was said."""

    role: Role = "user"
    content: Text


class SessionRecord(_Record):
    """A conversation on a day."""

    session_id: Text
    date: Instant
    turns: tuple[TurnRecord, ...] = Field(min_length=1)


class FactRecord(_Record):
    """Something that may be stored; ``anchors`` show that it is, any of them."""

    fact_id: Text
    text: Text
    anchors: tuple[Text, ...] = Field(min_length=1)


class PlantedRecord(FactRecord):
    """A fact of a session.

    ``stated``: the user said it, rather than somebody inferred it. ``sensitive``: it is nobody's business unless the
    user asked to keep it (``asked_to_keep``).
    """

    session_id: Text
    stated: bool = True
    sensitive: bool = False
    asked_to_keep: bool = False


class MutationRecord(_Record):
    """What the user had done to a fact."""

    op: Literal["forget"]
    fact_id: Text
    at: Instant


class ProbeRecord(_Record):
    """A question about the memory. ``ask`` is what is asked before a probe of kind ``use_disclosure``."""

    probe_id: Text
    kind: Kind
    query: Text
    fact_id: Text | None = None
    expected_anchor_any: tuple[Text, ...] = ()
    ask: Text | None = None

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> Self:
        if self.kind in ABOUT_ONE_FACT and self.fact_id is None:
            raise ValueError(f"a probe of kind {self.kind!r} needs 'fact_id'")
        if self.kind == "provenance" and not self.expected_anchor_any:
            raise ValueError("a probe of kind 'provenance' needs 'expected_anchor_any'")
        if self.kind == "use_disclosure" and self.ask is None:
            raise ValueError("a probe of kind 'use_disclosure' needs 'ask', the question before it")
        return self


class CaseRecord(_Record):
    """One case."""

    id: Text
    domain: Text
    sessions: tuple[SessionRecord, ...] = Field(min_length=1)
    planted: tuple[PlantedRecord, ...] = Field(min_length=1)
    decoys: tuple[FactRecord, ...] = ()
    mutations: tuple[MutationRecord, ...] = ()
    probes: tuple[ProbeRecord, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _refers_to_what_it_has(self) -> Self:
        facts = [fact.fact_id for fact in self.facts]
        if len(set(facts)) < len(facts):
            raise ValueError("two facts share a fact_id")
        named = [*(one.fact_id for one in self.mutations), *(one.fact_id for one in self.probes if one.fact_id)]
        unknown = next((one for one in named if one not in facts), None)
        if unknown is not None:
            raise ValueError(f"found the unknown fact {unknown!r}; known: {', '.join(sorted(facts))}")
        sessions = {session.session_id for session in self.sessions}
        homeless = next((fact for fact in self.planted if fact.session_id not in sessions), None)
        if homeless is not None:
            raise ValueError(f"fact {homeless.fact_id!r} names the unknown session {homeless.session_id!r}")
        return self

    @property
    def facts(self) -> tuple[FactRecord, ...]:
        """Everything that could be claimed: planted facts and decoys."""
        return (*self.planted, *self.decoys)

    @property
    def forgotten(self) -> frozenset[str]:
        """The facts that the user had deleted."""
        return frozenset(one.fact_id for one in self.mutations)

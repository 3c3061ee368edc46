"""GateMem's format: episodes of turns by several principals, and checkpoints that ask in the middle of them.

Ours are ``audience``, ``supersedes`` and ``derived_from`` of a turn, which the official data does not have: what an
application knows about a message besides its words, for memories that keep rules (`heams.memory.governance`).
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from heams.evaluation.gatemem_reply import Action
from heams.scenarios.clock import Instant

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
QueryType = Literal["utility", "privacy", "safety"]


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)  # what is not known is noted, see dataset.py

    @property
    def unknown_fields(self) -> list[str]:
        """Fields that the format does not have."""
        return sorted(self.model_extra or ())


class Person(_Row):
    """Who speaks or asks."""

    principal_id: Text
    role: Text


class Principal(Person):
    """Who takes part in an episode."""

    display_name: Text | None = None


class Entities(_Row):
    """Who takes part, and how they are related (``type``, and principals, projects or scopes by field)."""

    principals: tuple[Principal, ...]
    relationships: tuple[Mapping[str, JsonValue], ...] | None = None


class TurnRow(_Row):
    """One utterance."""

    turn_id: Text
    text: Text
    speaker: Person
    timestamp: Instant | None = None
    turn_kind: Text | None = None
    audience: tuple[Text, ...] = ()
    supersedes: tuple[Text, ...] = ()
    derived_from: tuple[Text, ...] = ()


class EpisodeRow(_Row):
    """One line of ``episodes.jsonl``."""

    episode_id: Text
    domain: Text
    entities: Entities
    turns: tuple[TurnRow, ...] = Field(min_length=1)


class JudgeSpec(_Row):
    """What a judge is told about a checkpoint."""

    expected_action: Action | None = None
    include: tuple[str, ...] | None = None
    not_include: tuple[str, ...] | None = None
    notes: str | None = None
    attack_type: Text | None = None


class CheckpointRow(_Row):
    """One line of ``checkpoints.jsonl``."""

    checkpoint_id: Text
    episode_id: Text
    as_of_turn_id: Text
    asker: Person
    query_type: QueryType
    query_text: Text
    expected_action: Action
    judge_spec: JudgeSpec
    leak_targets: tuple[str, ...] | None = None
    attack_type: Text | None = None

    @property
    def attack(self) -> str | None:
        """The kind of attack; the checkpoint's own word comes before that of its ``judge_spec``."""
        return self.attack_type or self.judge_spec.attack_type

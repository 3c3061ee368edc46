"""The rules that a memory keeps: how long, what for, what must stay, and who may see what."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Rules(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RetentionRule(_Rules):
    """How long what belongs to a category is kept."""

    category: Name
    ttl_days: float = Field(gt=0, allow_inf_nan=False, description="Days after which it is forgotten.")


class RetentionPolicy(_Rules):
    """What a memory forgets by itself, and what it keeps whoever asks.

    An event's category is its own (``metadata.category``), else the first of ``categories`` of which it holds a word.
    What came from an event is forgotten with it, as soon as the simulated clock shows that its time is over.
    """

    rules: tuple[RetentionRule, ...] = Field(default=(), description="How long each category is kept.")
    default_ttl_days: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="How long everything else is kept; null: for good."
    )
    legal_hold: tuple[Name, ...] = Field(
        default=(), description="Categories that are kept in spite of time and demands."
    )
    forget_superseded: bool = Field(
        default=True, description="Whether an event that names others in 'metadata.supersedes' takes their place."
    )
    forget_ended_purposes: bool = Field(
        default=True, description="Whether 'metadata.ends_purpose' forgets what was told for that 'metadata.purpose'."
    )
    categories: Mapping[Name, tuple[Name, ...]] = Field(
        default_factory=dict, description="Words that file an event without a category of its own, by category."
    )

    @model_validator(mode="after")
    def _one_rule_each(self) -> Self:
        named = [rule.category for rule in self.rules]
        twice = sorted({name for name in named if named.count(name) > 1})
        if twice:
            raise ValueError(f"'rules' names {', '.join(twice)} more than once")
        return self

    def lifetime(self, category: str | None) -> timedelta | None:
        """How long an event of the category is kept; None for good."""
        if category in self.legal_hold:
            return None
        days = next((rule.ttl_days for rule in self.rules if rule.category == category), self.default_ttl_days)
        return None if days is None else timedelta(days=days)


class AccessPolicy(_Rules):
    """Who is answered from what: a principal sees what ``own``, ``roles`` or ``everybody`` opens, nothing else.

    An event that names principals or roles in ``metadata.audience`` is seen by these alone, and by who said it. Roles
    are learned from ``metadata.speaker_role`` of what principals say, and from ``metadata.roles`` (role by principal)
    of an event that introduces them. What was made from others is seen by those who may see all of them.
    """

    own: bool = Field(default=True, description="Whether principals see what they said themselves.")
    roles: Mapping[Name, tuple[Name, ...]] = Field(
        default_factory=dict, description="Whose words a role sees, by role; '*' is everybody's."
    )
    everybody: tuple[Name, ...] = Field(default=(), description="Roles whose words everybody sees.")


Retention = Annotated[
    RetentionPolicy | None,
    Field(description="What is forgotten by itself, and what is kept whoever asks; null: no rules."),
]
Access = Annotated[AccessPolicy | None, Field(description="Who is answered from what; null: everybody from all.")]

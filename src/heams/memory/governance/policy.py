"""The rules that a memory keeps: how long, what for, what must stay, who may see what, and what is let in."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from heams.scenarios.actions import Role

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _with_words(phrase: str) -> str:
    from heta_framework.common.text.anchors import anchor_tokens

    if not anchor_tokens(phrase):
        raise ValueError("must hold a word, a number or a sign that is looked for")
    return phrase


Phrase = Annotated[Name, AfterValidator(_with_words)]
Days = Annotated[float, Field(gt=0, strict=True, allow_inf_nan=False)]


class _Rules(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RetentionRule(_Rules):
    """How long what belongs to a category is kept."""

    category: Name
    ttl_days: Days = Field(description="Days after which it is forgotten.")


class RetentionPolicy(_Rules):
    """What a memory forgets by itself, and what it keeps whoever asks.

    An event's category is its own (``metadata.category``), else the first of ``categories`` of which it holds a word.
    What came from an event is forgotten with it, as soon as the simulated clock shows that its time is over.
    """

    rules: tuple[RetentionRule, ...] = Field(default=(), description="How long each category is kept.")
    default_ttl_days: Days | None = Field(default=None, description="How long everything else is kept; null: for good.")
    legal_hold: tuple[Name, ...] = Field(
        default=(), description="Categories that are kept in spite of time and demands."
    )
    forget_superseded: bool = Field(
        default=True, description="Whether an event that names others in 'metadata.supersedes' takes their place."
    )
    forget_ended_purposes: bool = Field(
        default=True, description="Whether 'metadata.ends_purpose' forgets what was told for that 'metadata.purpose'."
    )
    categories: Mapping[Name, tuple[Phrase, ...]] = Field(
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
        return None if days is None else timedelta(days=min(days, timedelta.max.days))


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


class ScreeningPolicy(_Rules):
    """What is let in, and from whom. From a source that is not trusted, no text is stored that holds a phrase.

    A source is trusted where its role and its kind are, or where its ``metadata.source`` is named. What an agent notes
    down may come from anywhere, so notes are not trusted unless ``trusted_kinds`` says so. What is kept out is counted
    among the memory's tallies (``quarantined``).
    """

    trusted_roles: tuple[Role, ...] = Field(
        default=("user", "assistant", "system"), description="Roles whose words are stored as they are."
    )
    trusted_kinds: tuple[Literal["turn", "document", "note"], ...] = Field(
        default=("turn",), description="Kinds of events that are stored as they are, if the role is trusted too."
    )
    trusted_sources: tuple[Name, ...] = Field(
        default=(), description="Values of 'metadata.source' that are trusted, whatever the role and the kind."
    )
    phrases: tuple[Phrase, ...] = Field(
        min_length=1, description="Words that mark an instruction to a memory or its reader; any of them is enough."
    )


Retention = Annotated[
    RetentionPolicy | None,
    Field(description="What is forgotten by itself, and what is kept whoever asks; null: no rules."),
]
Access = Annotated[AccessPolicy | None, Field(description="Who is answered from what; null: everybody from all.")]
Screening = Annotated[
    ScreeningPolicy | None, Field(description="What is let in, and from whom; null: everything from everybody.")
]

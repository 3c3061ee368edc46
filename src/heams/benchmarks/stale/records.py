"""A record of STALE's file as it is published, with the two things that ours adds: controls, and phrases to score by.

Fields that are not named here are not read: published sessions come from elsewhere and carry labels of their own.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from heams.benchmarks.stale.probes import Probe, ScenarioType
from heams.evaluation.stale_rules import ProbePhrases

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class TurnRecord(_Record):
    """One utterance."""

    role: Literal["user", "assistant", "system"]
    content: str


class QueriesRecord(_Record):
    """The three questions; one that is missing or blank is None or empty."""

    dim1_query: str | None = None
    dim2_query: str | None = None
    dim3_query: str | None = None


class ScenarioRecord(_Record):
    """One scenario. ``M_old`` was told first; ``M_new`` silently ends it, or, in a control, leaves it as it is."""

    uid: Text
    type: ScenarioType
    old: Text = Field(alias="M_old")
    new: Text = Field(alias="M_new")
    explanation: str = ""
    relevant_session_index: Any = None
    timestamps: tuple[Any, ...] = ()
    sessions: tuple[tuple[TurnRecord, ...], ...] = Field(alias="haystack_session", min_length=1)
    queries: QueriesRecord = Field(alias="probing_queries")
    phrases: Mapping[Probe, ProbePhrases] = Field(default_factory=dict)

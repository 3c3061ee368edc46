"""What can happen in a scenario, as typed actions told apart by their ``type``.

``UserStimulus`` asks the agent something and is the only action that is answered. The others change what agent and
memory have lived through (turns, documents, sessions, the clock, who speaks), ask the memory to forget, look into it,
or tell the agent how it did. What evaluators need (``step_evaluation_markers``) never reaches agent or memory.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from heams.scenarios.clock import Instant

DEFAULT_PRINCIPAL = "user"

Role = Literal["user", "assistant", "system", "tool"]
FeedbackKind = Literal["none", "correctness", "gold"]


class ScenarioAction(BaseModel):
    """Base of all actions: immutable, and strict about unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class UserStimulus(ScenarioAction):
    """Somebody asks the agent something; the agent answers.

    ``content`` is what the agent reads. ``recall_query`` is the bare question where ``content`` wraps it in
    instructions; agents recall with it. ``remember`` writes question and answer into the memory afterwards.
    ``step_evaluation_markers`` (``expected_answer``, ``evidence``, tags ...) are for evaluators only.
    """

    type: Literal["user_stimulus"] = "user_stimulus"
    content: str
    step_evaluation_markers: Mapping[str, JsonValue] = Field(default_factory=dict)
    principal: str = DEFAULT_PRINCIPAL
    at: Instant | None = None
    recall_query: str | None = None
    remember: bool = False


class Turn(ScenarioAction):
    """One utterance of a conversation that the memory hears and nobody answers. ``id`` names it in evidence labels."""

    type: Literal["turn"] = "turn"
    id: str = Field(min_length=1)
    content: str
    speaker: str = DEFAULT_PRINCIPAL
    role: Role = "user"
    at: Instant | None = None
    session_id: str | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)


class DocumentIngestion(ScenarioAction):
    """A document is handed to the memory as a whole."""

    type: Literal["document_ingestion"] = "document_ingestion"
    id: str = Field(min_length=1)
    content: str
    title: str | None = None
    media_type: str = "text/plain"
    principal: str = DEFAULT_PRINCIPAL
    at: Instant | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)


class SessionBoundary(ScenarioAction):
    """A session ends and another begins: the agent loses its working context, the memory stays."""

    type: Literal["session_boundary"] = "session_boundary"
    session_id: str
    at: Instant | None = None


class ClockAdvance(ScenarioAction):
    """The simulated clock moves forward to ``to``; memories with time-to-live rules act on it."""

    type: Literal["clock_advance"] = "clock_advance"
    to: Instant


class PrincipalSwitch(ScenarioAction):
    """From here on ``principal`` speaks, unless an action names somebody else."""

    type: Literal["principal_switch"] = "principal_switch"
    principal: str = Field(min_length=1)


class ForgetRequest(ScenarioAction):
    """Somebody asks to forget something: in words (``content``), and by ``event_ids`` where they are known."""

    type: Literal["forget_request"] = "forget_request"
    content: str
    event_ids: tuple[str, ...] = ()
    principal: str = DEFAULT_PRINCIPAL
    step_evaluation_markers: Mapping[str, JsonValue] = Field(default_factory=dict)


class MemoryInspection(ScenarioAction):
    """The memory's whole content is dumped and kept with the step, for evaluators of leakage and residue."""

    type: Literal["memory_inspection"] = "memory_inspection"
    label: str = ""
    step_evaluation_markers: Mapping[str, JsonValue] = Field(default_factory=dict)


class Feedback(ScenarioAction):
    """The agent learns how step ``of_step`` went: nothing, right or wrong, or the expected answer itself."""

    type: Literal["feedback"] = "feedback"
    of_step: int = Field(ge=0)
    kind: FeedbackKind = "correctness"


HistoryEvent = Annotated[
    Turn | DocumentIngestion | SessionBoundary | ClockAdvance | PrincipalSwitch, Field(discriminator="type")
]


class SharedHistory(ScenarioAction):
    """Events that several scenarios have in common: heard once, stored once, probed on forks."""

    type: Literal["shared_history"] = "shared_history"
    id: str = Field(min_length=1)
    events: tuple[HistoryEvent, ...]


Action = Annotated[
    UserStimulus
    | Turn
    | DocumentIngestion
    | SessionBoundary
    | ClockAdvance
    | PrincipalSwitch
    | ForgetRequest
    | MemoryInspection
    | Feedback
    | SharedHistory,
    Field(discriminator="type"),
]

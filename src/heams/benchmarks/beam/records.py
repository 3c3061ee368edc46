"""BEAM as typed records: chats with their batches of messages, and questions, already mended."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heams.benchmarks.beam.abilities import AbilityName
from heams.benchmarks.skip import SkipReason


@dataclass(frozen=True, slots=True)
class Message:
    """One message, without the marker of its generator. ``id`` is unique in the chat."""

    id: str
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What was said in one sitting; ``at`` is None where no date is known yet."""

    id: str
    at: datetime | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat. ``notes`` are its defects."""

    batches: tuple[Batch, ...]
    notes: tuple[SkipReason, ...] = ()

    @property
    def ends_at(self) -> datetime | None:
        """The latest date; None where none is known."""
        return max((batch.at for batch in self.batches if batch.at is not None), default=None)

    @property
    def message_ids(self) -> list[str]:
        """The ids of all messages, in order."""
        return [message.id for batch in self.batches for message in batch.messages]


@dataclass(frozen=True, slots=True)
class Question:
    """One question. ``id`` tells its chat and its place among the chat's questions, and nothing of its ability.

    ``gold`` is None where there is none that can be used. ``evidence`` are ids of messages of the chat;
    ``evidence_note`` says why labels are missing. ``notes`` are its defects.
    """

    id: str
    ability: AbilityName
    text: str
    gold: str | None
    rubric: tuple[str, ...]
    difficulty: str
    evidence: tuple[str, ...]
    evidence_note: str | None = None
    notes: tuple[SkipReason, ...] = ()

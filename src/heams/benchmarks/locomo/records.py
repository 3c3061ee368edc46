"""A LoCoMo data set as typed records: conversations with their sessions and questions, already mended."""

from dataclasses import dataclass, replace
from datetime import datetime

from heams.benchmarks.locomo import defects
from heams.benchmarks.locomo.categories import OPEN_DOMAIN, CategoryId
from heams.benchmarks.skip import SkipReason


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """One utterance. ``caption`` describes the image that was shared with it."""

    id: str
    speaker: str
    text: str
    caption: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """The turns of one sitting, all of them at its date."""

    id: str
    at: datetime
    turns: tuple[DialogueTurn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question. ``id`` is ``<sample_id>#<index in qa>``.

    ``answer`` is None exactly in category 5, where ``trap`` is the wrong answer that the question suggests.
    ``evidence`` are ids of existing turns; ``evidence_note`` says why labels are missing. ``notes`` are its defects.
    """

    id: str
    text: str
    category: CategoryId
    answer: str | None
    trap: str | None
    evidence: tuple[str, ...]
    evidence_note: str | None = None
    notes: tuple[SkipReason, ...] = ()

    def noted(self, rule: str, detail: str) -> "Question":
        """The question with one more note."""
        return replace(self, notes=(*self.notes, defects.note(self.id, rule, detail)))

    @property
    def all_notes(self) -> tuple[SkipReason, ...]:
        """The defects, and whether the scorer cuts the answer as it now stands."""
        if self.category != OPEN_DOMAIN or ";" not in (self.answer or ""):
            return self.notes
        detail = "the scorer compares with the answer up to its first ';'"
        return (*self.notes, defects.note(self.id, defects.RATIONALE_IN_ANSWER, detail))


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation. ``sessions`` are in the order of their numbers; ``notes`` are defects outside its questions."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    notes: tuple[SkipReason, ...] = ()

    @property
    def turn_ids(self) -> frozenset[str]:
        """The ids of all turns."""
        return frozenset(turn.id for session in self.sessions for turn in session.turns)

    @property
    def ends_at(self) -> datetime:
        """The date of the latest session."""
        return max(session.at for session in self.sessions)

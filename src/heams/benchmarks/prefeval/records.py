"""The published format of PrefEval: lists of preferences in three forms, lists of options, and filler conversations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Form = Literal["explicit", "choice", "persona"]
FORMS: tuple[Form, ...] = ("explicit", "choice", "persona")
Role = Literal["user", "assistant"]


class Said(NamedTuple):
    """One utterance. ``tells`` marks those that, together, tell the preference."""

    role: Role
    content: str
    tells: bool = False


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class PreferenceRecord(_Record):
    """A preference and a question that it bears on; the form ``explicit``."""

    preference: Text
    question: Text

    def said(self) -> Iterator[Said]:
        """How the preference is told."""
        yield Said("user", self.preference, tells=True)


class _ChoiceConversation(_Record):
    query: Text
    assistant_options: Text
    user_selection: Text
    assistant_acknowledgment: Text


class ChoiceRecord(PreferenceRecord):
    """A preference that only shows in which of several offers its owner takes."""

    conversation: _ChoiceConversation

    def said(self) -> Iterator[Said]:
        """A question, the offers, the choice, and that it was heard."""
        yield Said("user", self.conversation.query)
        yield Said("assistant", self.conversation.assistant_options, tells=True)
        yield Said("user", self.conversation.user_selection, tells=True)
        yield Said("assistant", self.conversation.assistant_acknowledgment)


class _Exchange(_Record):
    user: Text
    assistant: Text


class PersonaRecord(PreferenceRecord):
    """A preference that comes up somewhere in a talk with a persona: exchanges by their number, from "0"."""

    conversation: Mapping[Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}$")], _Exchange] = Field(min_length=1)

    def said(self) -> Iterator[Said]:
        """The exchanges in the order of their numbers; whatever the user said may tell the preference."""
        for number in sorted(self.conversation, key=int):
            yield Said("user", self.conversation[number].user, tells=True)
            yield Said("assistant", self.conversation[number].assistant)


class OptionsRecord(_Record):
    """The options of a question, of which the first is the one that fits the preference."""

    preference: Text
    question: Text
    classification_task_options: tuple[Text, ...]


class _Message(_Record):
    role: Role
    content: str


class FillerRecord(_Record):
    """A conversation about something else."""

    conversation: Sequence[_Message] = Field(min_length=1)

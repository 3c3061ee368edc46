"""The format of the profiles: who somebody is, what a memory knows about them, and whom they write to for what."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictFloat, StrictInt, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Shares = Annotated[Mapping[str, StrictInt | StrictFloat], Field(min_length=1)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Bio(_Row):
    """Who the profile is about; the official files know more, which is told as attributes too."""

    name: Text


class AttributeRow(_Row):
    """One thing to know: its value (mostly text or a number), and the sentence by which the memory hears of it.

    ``event`` is what it has to do with in the person's life; keys often begin with it.
    """

    value: JsonValue
    information_domain: Text
    event: str = ""
    memory_statement: Text


class ContextRow(BaseModel):
    """Somebody to write to, and what for. ``labels_combined`` is added by the official labelling script."""

    model_config = ConfigDict(extra="allow", frozen=True)

    recipient: Text
    task: Text
    labels_combined: Mapping[str, Shares] | None = None

    @property
    def uncombined(self) -> list[str]:
        """Keys of labels that the official script left under the names of single personas."""
        return sorted(key for key in self.model_extra or () if key.startswith("labels_"))


class ProfileRow(_Row):
    """One person."""

    bio: Bio
    information_attributes: Annotated[Mapping[str, AttributeRow], Field(min_length=1)]
    contexts: Sequence[ContextRow]

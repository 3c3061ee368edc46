"""The format of a case: what is asked, what is read for it, and what of that a memory should, or should not, keep."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from heams.benchmarks.mpbench.attacks import AttackClass, Channel

Label = Literal["adversarial", "benign"]
_BOOLEANS = {"true": True, "false": False}


def _blank_is_missing(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _boolean(value: Any) -> Any:
    return _BOOLEANS.get(value.strip().casefold(), value) if isinstance(value, str) else value


Text = Annotated[str | None, BeforeValidator(_blank_is_missing)]
Part = Annotated[str, Field(min_length=1)]


class CaseRow(BaseModel):
    """One record of either file. Fields beyond the published ones are ours: ``resembles``, ``write_channel``.

    ``context`` is what a tool or a document says, a list where it comes in several turns of a session.
    ``resembles`` is the class of attacks whose form a benign case shares. Fields that nobody knows are kept by name.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str = Field(min_length=1)
    attack_type: Text = None
    attack_signal: Text = None
    domain: Text = None
    adversarial_goal: Text = None
    user_query: Text = None
    context: Annotated[str | tuple[Part, ...] | None, BeforeValidator(_blank_is_missing)] = None
    expected_memory: Text = None
    retrieval_query: Text = None
    skill_md: Text = None
    legitimate_memory_write: Annotated[bool | None, BeforeValidator(_boolean)] = None
    resembles: AttackClass | None = None
    write_channel: Channel | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """The context in the order in which it is heard."""
        return (self.context,) if isinstance(self.context, str) else self.context or ()

    @property
    def unknown_fields(self) -> list[str]:
        """Names of fields that the format does not have."""
        return list(self.model_extra or ())

    @property
    def content(self) -> tuple[str, ...]:
        """All that is heard of it: two cases with the same content are one."""
        return (self.user_query or "", *self.parts, self.skill_md or "")


class Case(NamedTuple):
    """A record with what its file says about it."""

    row: CaseRow
    label: Label
    attack: AttackClass | None
    channel: Channel


class Raw(NamedTuple):
    """A record as it stands in its file."""

    place: str
    fields: Mapping[str, Any]

"""The format of a stream: problems that follow each other, what is told about answers, and rows of AIME files."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictInt, StrictStr, StringConstraints, model_validator

from heams.evaluation.aime_integers import whole_integer
from heams.scenarios.actions import FeedbackKind

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
AIME = "aime"


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ItemRecord(_Record):
    """One problem. Items of one ``template`` differ in their numbers; ``group`` is for reports."""

    id: Text
    input: Text
    target: Text
    phase: Literal["learn", "test"] = "learn"
    group: Text | None = None
    template: Text | None = None


class StreamRecord(_Record):
    """One stream. With the ``task`` ``aime`` every target is an integer from 0 to 999."""

    stream_id: Text
    task: Text
    feedback: FeedbackKind = "correctness"
    items: tuple[ItemRecord, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        repeated = [name for name, times in Counter(item.id for item in self.items).items() if times > 1]
        if repeated:
            raise ValueError(f"two items share the id {repeated[0]!r}")
        for item in self.items:
            if self.task == AIME and whole_integer(item.target) is None:
                raise ValueError(f"item {item.id!r}: the target {item.target!r} is no integer from 0 to 999")
        learnt = {item.template for item in self.items if item.phase == "learn"} - {None}
        for item in self.items:
            if item.phase == "test" and item.template not in learnt:
                raise ValueError(f"item {item.id!r} is of phase 'test', but no item of phase 'learn' has its template")
        return self

    @property
    def has_phases(self) -> bool:
        """Whether there is anything to be tested after learning."""
        return any(item.phase == "test" for item in self.items)


class AimeRow(_Record):
    """A line of an AIME file. Of ``metadata`` only ``ID`` is used: it may hold the solution."""

    input: Text
    target: StrictStr | StrictInt
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)

"""A record of LongMemEval's files: a question, and the three parallel lists that make its haystack."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr, StringConstraints, model_validator

from heams.benchmarks.longmemeval.question_types import QuestionType

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class TurnRecord(_Record):
    """One message. ``has_answer`` marks evidence, and never leaves the loader."""

    role: Literal["user", "assistant", "system"]
    content: str
    has_answer: bool = False


class QuestionRecord(_Record):
    """One question. ``answer`` is a rubric for preferences, and says why there is none where there is none."""

    question_id: Text
    question_type: QuestionType
    question: Text
    answer: StrictStr | StrictInt | StrictFloat | None = None
    question_date: str
    session_ids: tuple[str, ...] = Field(alias="haystack_session_ids")
    dates: tuple[str, ...] = Field(alias="haystack_dates")
    sessions: tuple[tuple[TurnRecord, ...], ...] = Field(alias="haystack_sessions")
    answer_session_ids: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _lists_are_parallel(self) -> Self:
        lengths = len(self.session_ids), len(self.dates), len(self.sessions)
        if len(set(lengths)) > 1:
            names = "haystack_session_ids, haystack_dates and haystack_sessions"
            raise ValueError(f"{names} must be equally long, found {lengths[0]}, {lengths[1]} and {lengths[2]}")
        return self

"""Configuration of the ``learner`` agent."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps


class LearnerAgentConfig(BaseModel):
    """Learns from feedback by writing solved problems into the memory; no model, deterministic.

    ``recall_limit``: items asked of the memory; None leaves it to the recall budget.
    ``min_likeness``: how alike two problems must be (0 to 1, by the words that they share, numbers aside) for one to be
    solved as the other where no problem of exactly the same words is remembered.
    ``max_numbers``: the most numbers in a problem for which calculations are tried.
    ``answer``: how it says an answer; ``unknown``: what it says without one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["learner"] = "learner"
    recall_limit: WholeNumber | None = Field(default=None, ge=1)
    min_likeness: float = Field(default=0.8, ge=0, le=1)
    max_numbers: WholeNumber = Field(default=4, ge=1, le=4)
    answer: Annotated[str, gaps("answer")] = "The answer is {answer}."
    unknown: str = Field(default="I do not know.", min_length=1)

"""The verdict of an evaluator on one step (or on a whole scenario) under one metric."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

Outcome = Literal["scored", "unscored", "error", "unsupported", "skipped"]
ZERO_OUTCOMES: frozenset[str] = frozenset({"error", "unsupported"})
"""Outcomes that count as 0 in a mean. ``unscored`` and ``skipped`` are left out of it and counted beside it."""


class EvaluationRecord(BaseModel):
    """One verdict.

    ``expected`` and ``observed`` hold the compared texts, ``reason`` the verdict only. ``value`` is a finite number,
    present exactly when ``outcome`` is ``scored``; ``passed`` is set where the metric is a yes or no. ``step_index`` is
    None for verdicts on the whole scenario. ``tags`` group records in reports (a ``criterion`` tag names the criterion
    directly); ``audit`` keeps what a reader needs to check the verdict.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluator: str
    metric: str
    outcome: Outcome = "scored"
    value: float | None = Field(default=None, allow_inf_nan=False)
    passed: bool | None = None
    step_index: int | None = None
    expected: str | None = None
    observed: str | None = None
    reason: str = ""
    tags: Mapping[str, str] = Field(default_factory=dict)
    audit: Mapping[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _value_exactly_when_scored(self) -> "EvaluationRecord":
        if (self.outcome == "scored") != (self.value is not None):
            raise ValueError(f"a record has a value exactly when it is scored (outcome {self.outcome!r})")
        return self

    @property
    def contribution(self) -> float | None:
        """What the record adds to a mean: its value, 0 for errors and unsupported, None when it is left out."""
        return 0.0 if self.outcome in ZERO_OUTCOMES else self.value

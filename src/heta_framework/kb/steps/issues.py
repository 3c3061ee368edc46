"""What a step could not do as asked and did not fail for: recorded, never silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

IssueSeverity = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class IssueSubject:
    """What an issue is about: ``type`` such as ``document`` or ``chunk``, and its id or key."""

    type: str
    id: str


@dataclass(frozen=True)
class IssueResolution:
    """What was done about it, and what came of that."""

    action: str
    outcome: str


@dataclass(frozen=True)
class StepIssue:
    """One thing that went otherwise than asked.

    Attributes:
        step: name of the step.
        code: a stable word for programs, e.g. ``unsupported_file_type``.
        message: a sentence for people.
    """

    step: str
    subject: IssueSubject
    message: str
    code: str
    severity: IssueSeverity = "warning"
    resolution: IssueResolution | None = None
    details: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "details", dict(self.details))

    def __str__(self) -> str:
        return f"{self.severity} of {self.step}: {self.message} [{self.code}]"

"""What a run itself reports, beside its steps: things that were found damaged and were made again."""

from __future__ import annotations

from collections.abc import Iterable

from heta_framework.kb.steps.errors import LostArtifactError
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

RUN = "knowledge_base"
_REBUILT = IssueResolution("rebuild", "what is missing is made again, the rest is taken from the step cache")


def torn_record_issue(key: str, why: str) -> StepIssue:
    """A file of the knowledge base's own is damaged."""
    return StepIssue(
        RUN,
        IssueSubject("object", key),
        f"{key} is not believed: {why}; the build counts as unfinished",
        "torn_record",
        resolution=_REBUILT,
    )


def lost_artifact_issue(error: LostArtifactError) -> StepIssue:
    """What a step had left is gone or damaged."""
    subject = IssueSubject("document", error.document) if error.document else IssueSubject("knowledge_base", RUN)
    return StepIssue(RUN, subject, f"{error}; all steps run again", "lost_artifact", resolution=_REBUILT)


def with_more(issues: Iterable[StepIssue], more: Iterable[StepIssue]) -> tuple[StepIssue, ...]:
    """The issues of both, each once."""
    each = {(issue.step, issue.subject, issue.code, issue.message): issue for issue in (*issues, *more)}
    return tuple(each.values())

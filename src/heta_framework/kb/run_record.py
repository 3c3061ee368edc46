"""What one run of a recipe did, step by step: kept beside the knowledge base and read by `load` and `resume`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from heta_framework.kb.lifecycle.json_values import with_notes
from heta_framework.kb.recipe_manifest import (
    capabilities_from_dict,
    capabilities_to_dict,
    requirements_from_dict,
    requirements_to_dict,
)
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue
from heta_framework.kb.steps.protocol import StepCapabilities, StepRequirements

RecipeRunStatus = Literal["pending", "running", "succeeded", "failed", "cancelled"]
StepRunStatus = Literal["pending", "running", "succeeded", "failed", "skipped"]
DONE: frozenset[str] = frozenset({"succeeded", "skipped"})


@dataclass(frozen=True)
class StepRunRecord:
    """What became of one step.

    Attributes:
        index: position among the expanded steps, from 0.
        started_at, finished_at: ISO 8601 in UTC.
        input_artifacts, output_artifacts: the keys that it needed and those that it set, sorted.
        error: ``Type: message`` of what it raised.
        identity: fingerprint of the step, its settings, models and everything before it; see
            `heta_framework.kb.lifecycle.step_identity`.
    """

    index: int
    step_name: str
    step_type: str
    status: StepRunStatus
    started_at: str | None
    finished_at: str | None
    requirements: StepRequirements
    capabilities: StepCapabilities
    input_artifacts: tuple[str, ...]
    output_artifacts: tuple[str, ...]
    issues: tuple[StepIssue, ...] = ()
    error: str | None = None
    identity: str | None = None

    @property
    def done(self) -> bool:
        """Whether what the step makes is there."""
        return self.status in DONE

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            **{name: getattr(self, name) for name in ("index", "step_name", "step_type", "status")},
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "requirements": requirements_to_dict(self.requirements),
            "capabilities": capabilities_to_dict(self.capabilities),
            "input_artifacts": list(self.input_artifacts),
            "output_artifacts": list(self.output_artifacts),
            "issues": [asdict(issue) for issue in self.issues],
            "error": self.error,
            "identity": self.identity,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StepRunRecord:
        """From what `to_dict` gave."""
        read = {
            "requirements": requirements_from_dict(data["requirements"]),
            "capabilities": capabilities_from_dict(data["capabilities"]),
            "input_artifacts": tuple(data["input_artifacts"]),
            "output_artifacts": tuple(data["output_artifacts"]),
            "issues": issues_from(data["issues"]),
        }
        return cls(**{**data, **read})


@dataclass(frozen=True)
class RecipeRunRecord:
    """What became of a run.

    Attributes:
        artifacts: what the steps left, by key. Those that JSON cannot hold are there in the process that built, and a
            note of their type elsewhere.
        capabilities: of the steps that are done.
        issues: what the steps reported.
    """

    run_id: str
    status: RecipeRunStatus
    started_at: str
    finished_at: str | None
    step_records: tuple[StepRunRecord, ...]
    artifacts: Mapping[str, Any] = field(default_factory=dict)
    capabilities: StepCapabilities = field(default_factory=StepCapabilities)
    issues: tuple[StepIssue, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "step_records", tuple(self.step_records))
        object.__setattr__(self, "artifacts", dict(self.artifacts))
        object.__setattr__(self, "issues", tuple(self.issues))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "run_id": self.run_id,
            "status": self.status,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "step_records": [record.to_dict() for record in self.step_records],
            "artifacts": with_notes(self.artifacts),
            "capabilities": capabilities_to_dict(self.capabilities),
            "issues": [asdict(issue) for issue in self.issues],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RecipeRunRecord:
        """From what `to_dict` gave."""
        read = {
            "step_records": tuple(StepRunRecord.from_dict(record) for record in data["step_records"]),
            "capabilities": capabilities_from_dict(data["capabilities"]),
            "issues": issues_from(data["issues"]),
        }
        return cls(**{**data, **read})


@dataclass(frozen=True)
class RecipeRunResult:
    """What a builder gives back.

    Attributes:
        failure: what the first failed step raised; the record only has its text.
    """

    record: RecipeRunRecord
    artifacts: Mapping[str, Any]
    capabilities: StepCapabilities
    issues: tuple[StepIssue, ...]
    failure: Exception | None = None


def capabilities_of(records: tuple[StepRunRecord, ...]) -> StepCapabilities:
    """What the steps that are done give together; search assets in the order of the steps, each once."""
    given = [record.capabilities for record in records if record.done]
    assets = {asset.key: asset for capabilities in given for asset in capabilities.search_assets}
    return StepCapabilities(
        artifacts=frozenset[str]().union(*(capabilities.artifacts for capabilities in given)),
        queries=frozenset[str]().union(*(capabilities.queries for capabilities in given)),
        search_assets=tuple(assets.values()),
    )


def issues_from(data: Iterable[Mapping[str, Any]]) -> tuple[StepIssue, ...]:
    """From what ``asdict`` gave."""
    return tuple(_issue(issue) for issue in data)


def _issue(data: Mapping[str, Any]) -> StepIssue:
    resolution = data["resolution"]
    read = {
        "subject": IssueSubject(**data["subject"]),
        "resolution": IssueResolution(**resolution) if resolution else None,
    }
    return StepIssue(**{**data, **read})

"""What a step is: what it needs, what it gives, and how it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from heta_framework.kb.components import ComponentRef
from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.steps.cleanup import StepCleanupPlan


@dataclass(frozen=True)
class StepRequirements:
    """What must be there before a step runs: components of the recipe, artifacts and query modes of earlier steps."""

    components: frozenset[ComponentRef] = field(default_factory=frozenset)
    artifacts: frozenset[str] = field(default_factory=frozenset)
    queries: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        for name in ("components", "artifacts", "queries"):
            object.__setattr__(self, name, frozenset(getattr(self, name)))


@dataclass(frozen=True)
class StepCapabilities:
    """What a step gives: artifacts, query modes that it makes possible, and what can be searched."""

    artifacts: frozenset[str] = field(default_factory=frozenset)
    queries: frozenset[str] = field(default_factory=frozenset)
    search_assets: tuple[SearchAsset, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "artifacts", frozenset(self.artifacts))
        object.__setattr__(self, "queries", frozenset(self.queries))
        object.__setattr__(self, "search_assets", tuple(self.search_assets))


@runtime_checkable
class StepContextProtocol(Protocol):
    """What a running step may reach."""

    def get_component(self, key: str) -> Any:
        """A component by its key, e.g. ``stores.objects``; MissingComponentError where the recipe has none."""
        ...

    def get_artifact(self, key: str) -> Any:
        """What an earlier step left; KeyError where there is none."""
        ...

    def set_artifact(self, key: str, value: Any) -> None:
        """Leave something for later steps."""
        ...


@runtime_checkable
class KnowledgeStepProtocol(Protocol):
    """One step of a build. The built-in steps do only what changed, see `heta_framework.kb.delta.Delta`."""

    @property
    def name(self) -> str:
        """The step's name in records and messages."""
        ...

    @property
    def requirements(self) -> StepRequirements:
        """What must be there."""
        ...

    @property
    def capabilities(self) -> StepCapabilities:
        """What it gives."""
        ...

    async def run(self, context: StepContextProtocol) -> None:
        """Do the work; what it raises fails the build."""
        ...

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """What the step made, from the artifacts of a finished run."""
        ...

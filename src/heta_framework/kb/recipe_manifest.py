"""A recipe as data: its steps, what each needs and gives; written into every knowledge base's manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from heta_framework.kb.components import ComponentNamespace, ComponentRef
from heta_framework.kb.search.assets import SearchAsset
from heta_framework.kb.steps.protocol import KnowledgeStepProtocol, StepCapabilities, StepRequirements

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe

MANIFEST_SCHEMA_VERSION = "1"


@dataclass(frozen=True)
class StepManifest:
    """One step as data.

    Attributes:
        index: position among the expanded steps, from 0.
        type: the name of its class.
    """

    index: int
    name: str
    type: str
    requirements: StepRequirements
    capabilities: StepCapabilities

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "index": self.index,
            "name": self.name,
            "type": self.type,
            "requirements": requirements_to_dict(self.requirements),
            "capabilities": capabilities_to_dict(self.capabilities),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StepManifest:
        """From what `to_dict` gave."""
        return cls(
            index=data["index"],
            name=data["name"],
            type=data["type"],
            requirements=requirements_from_dict(data["requirements"]),
            capabilities=capabilities_from_dict(data["capabilities"]),
        )


@dataclass(frozen=True)
class KnowledgeRecipeManifest:
    """A recipe as data.

    Attributes:
        component_refs: keys of the components that its steps need, sorted.
        artifacts_required: artifacts that its steps need, sorted.
        capabilities_provided: query modes that its steps make possible, sorted.
    """

    schema_version: str
    steps: tuple[StepManifest, ...]
    component_refs: tuple[str, ...]
    artifacts_required: tuple[str, ...]
    capabilities_provided: tuple[str, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("steps", "component_refs", "artifacts_required", "capabilities_provided"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "metadata", dict(self.metadata))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "schema_version": self.schema_version,
            "steps": [step.to_dict() for step in self.steps],
            "component_refs": list(self.component_refs),
            "artifacts_required": list(self.artifacts_required),
            "capabilities_provided": list(self.capabilities_provided),
            "metadata": dict(self.metadata),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KnowledgeRecipeManifest:
        """From what `to_dict` gave."""
        return cls(**{**data, "steps": tuple(StepManifest.from_dict(step) for step in data["steps"])})


def recipe_manifest(recipe: KnowledgeRecipe) -> KnowledgeRecipeManifest:
    """The manifest of a recipe."""
    steps = tuple(step_manifest(index, step) for index, step in enumerate(recipe.expanded_steps()))
    needs = [step.requirements for step in steps]
    return KnowledgeRecipeManifest(
        schema_version=MANIFEST_SCHEMA_VERSION,
        steps=steps,
        component_refs=tuple(sorted({ref.key for need in needs for ref in need.components})),
        artifacts_required=tuple(sorted({name for need in needs for name in need.artifacts})),
        capabilities_provided=tuple(sorted({query for step in steps for query in step.capabilities.queries})),
        metadata=recipe.metadata,
    )


def step_manifest(index: int, step: KnowledgeStepProtocol) -> StepManifest:
    """The manifest of a step."""
    return StepManifest(index, step.name, type(step).__name__, step.requirements, step.capabilities)


def requirements_to_dict(requirements: StepRequirements) -> dict[str, Any]:
    """Sorted lists; components by their keys."""
    return {
        "components": sorted(ref.key for ref in requirements.components),
        "artifacts": sorted(requirements.artifacts),
        "queries": sorted(requirements.queries),
    }


def requirements_from_dict(data: Mapping[str, Any]) -> StepRequirements:
    """From what `requirements_to_dict` gave."""
    return StepRequirements(
        components=frozenset(_ref(key) for key in data["components"]),
        artifacts=frozenset(data["artifacts"]),
        queries=frozenset(data["queries"]),
    )


def capabilities_to_dict(capabilities: StepCapabilities) -> dict[str, Any]:
    """Sorted lists; search assets in their order."""
    return {
        "artifacts": sorted(capabilities.artifacts),
        "queries": sorted(capabilities.queries),
        "search_assets": [asset.to_dict() for asset in capabilities.search_assets],
    }


def capabilities_from_dict(data: Mapping[str, Any]) -> StepCapabilities:
    """From what `capabilities_to_dict` gave."""
    return StepCapabilities(
        artifacts=frozenset(data["artifacts"]),
        queries=frozenset(data["queries"]),
        search_assets=tuple(SearchAsset(**asset) for asset in data["search_assets"]),
    )


def _ref(key: str) -> ComponentRef:
    namespace, _, rest = key.partition(".")
    kind, _, name = rest.partition(".")
    return ComponentRef(cast("ComponentNamespace", namespace), kind, name or None)

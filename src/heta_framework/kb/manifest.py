"""A knowledge base as data: what `load` reads, and what a report of an evaluation holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heta_framework.kb.recipe_manifest import MANIFEST_SCHEMA_VERSION, KnowledgeRecipeManifest
from heta_framework.kb.run_record import RecipeRunRecord


@dataclass(frozen=True)
class KnowledgeBaseManifest:
    """What is known of a knowledge base without its recipe's components.

    Attributes:
        created_at, updated_at: ISO 8601 in UTC.
        recipe: what was built.
        run_record: how the build, or the last update, went.
        metadata: the caller's own.
    """

    schema_version: str
    name: str
    description: str | None
    created_at: str
    updated_at: str
    recipe: KnowledgeRecipeManifest
    run_record: RecipeRunRecord
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", dict(self.metadata))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KnowledgeBaseManifest:
        """From what `to_dict` gave."""
        recipe = KnowledgeRecipeManifest.from_dict(data["recipe"])
        return cls(**{**data, "recipe": recipe, "run_record": RecipeRunRecord.from_dict(data["run_record"])})

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "schema_version": self.schema_version,
            "name": self.name,
            "description": self.description,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "recipe": self.recipe.to_dict(),
            "run_record": self.run_record.to_dict(),
            "metadata": dict(self.metadata),
        }


__all__ = ["MANIFEST_SCHEMA_VERSION", "KnowledgeBaseManifest"]

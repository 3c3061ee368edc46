"""Manifests of knowledge bases as reports hold them: everything but what grows with the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from typing import Any

from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.kb import KnowledgeBase
from heta_framework.kb.run_record import RecipeRunRecord

_LONGEST_ARTIFACT = 20
_MOST_ISSUES = 50
_FIRST_ISSUES = 5


def slim_manifest(kb: KnowledgeBase) -> dict[str, Any]:
    """The manifest of a knowledge base; of a long artifact, its length, and of many issues, the first fifty."""
    manifest = kb.manifest()
    record = manifest.run_record.to_dict()
    record["artifacts"] = {key: _short(value) for key, value in manifest.run_record.artifacts.items()}
    record["issues"] = record["issues"][:_MOST_ISSUES]
    for step in record["step_records"]:
        step["issues"] = step["issues"][:_MOST_ISSUES]
    slim: dict[str, Any] = json_safe(
        {
            "schema_version": manifest.schema_version,
            "name": manifest.name,
            "description": manifest.description,
            "created_at": manifest.created_at,
            "updated_at": manifest.updated_at,
            "recipe": manifest.recipe.to_dict(),
            "run_record": record,
            "metadata": manifest.metadata,
        }
    )
    return slim


def issues_of(record: RecipeRunRecord) -> dict[str, Any]:
    """How many issues a build had, by code, and what the first of them say; empty where there was none."""
    if not record.issues:
        return {}
    return {
        "count": len(record.issues),
        "by_code": dict(sorted(Counter(issue.code for issue in record.issues).items())),
        "first": [f"{issue.subject.id}: {issue.message}" for issue in record.issues[:_FIRST_ISSUES]],
    }


def _short(value: object) -> object:
    """The value, or how much it holds; lists of keys and of documents are as long as the corpus."""
    if isinstance(value, Sequence | Mapping) and not isinstance(value, str) and _is_long(value):
        return {"type": type(value).__name__, "count": len(value)}
    return json_safe(value)


def _is_long(value: Sized) -> bool:
    return len(value) > _LONGEST_ARTIFACT

"""The score of a case that has no label for an evaluator: left out of the mean, counted beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heta_framework.evaluation.types import EvaluationScore


def unlabelled(
    name: str, reason: str, value: float | bool = 0.0, metadata: Mapping[str, Any] | None = None
) -> EvaluationScore:
    """A score that counts nowhere; ``value`` only stands in its place."""
    return EvaluationScore(name, value, metadata={"skipped": True, "reason": reason, **(metadata or {})})

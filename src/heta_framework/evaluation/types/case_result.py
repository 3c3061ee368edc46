"""What became of one case in one query mode."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.stores.fields import required_text
from heta_framework.evaluation.types.fields import mapping, put
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.evaluation.types.response_data import response_to_dict
from heta_framework.evaluation.types.score import EvaluationError, EvaluationScore
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class EvaluationCaseResult:
    """A case, asked in a mode: the response with its scores, or the error.

    Attributes:
        latency_ms: of the query alone, at least 0.
        metadata: ``benchmark_run_unit`` and ``knowledge_base_name`` say who was asked; ``evaluator_errors`` names the
            evaluators that failed, each with ``type`` and ``message``.
    """

    case_id: str
    query: str
    query_mode: str
    scores: tuple[EvaluationScore, ...] = ()
    response: QueryResponse | None = None
    latency_ms: float | None = None
    error: EvaluationError | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("case_id", "query", "query_mode"):
            put(self, **{name: required_text(name, getattr(self, name))})
        put(self, scores=tuple(self.scores), metadata=mapping("metadata", self.metadata))
        if self.latency_ms is not None and (self.latency_ms < 0 or not math.isfinite(self.latency_ms)):
            raise ValueError(f"latency_ms must not be negative, found {self.latency_ms}")
        if self.response is None and self.error is None:
            raise ValueError("either response or error must be set")

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "case_id": self.case_id,
            "query": self.query,
            "query_mode": self.query_mode,
            "scores": [score.to_dict() for score in self.scores],
            "response": None if self.response is None else response_to_dict(self.response),
            "latency_ms": self.latency_ms,
            "error": None if self.error is None else self.error.to_dict(),
            "metadata": json_safe(self.metadata),
        }

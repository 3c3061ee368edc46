"""A query's response as data that a report can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.kb.search.types import QueryResponse


def response_to_dict(response: QueryResponse) -> dict[str, Any]:
    """mode, results, answer, citations, trace, metadata and insights, JSON-safe."""
    return {
        "mode": response.mode,
        "results": _all(response.results, ("id", "text", "score", "kind", "source", "metadata")),
        "answer": json_safe(response.answer),
        "citations": _all(response.citations, ("id", "result_id", "source", "text", "metadata")),
        "trace": _all(response.trace, ("stage", "message", "metadata")),
        "metadata": json_safe(response.metadata),
        "insights": _all(response.insights, ("text", "evidence_ids")),
    }


def _all(items: Sequence[object], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{name: json_safe(getattr(item, name)) for name in names} for item in items]

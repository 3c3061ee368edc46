"""Reorders results by a reranker; where it fails or replies with nonsense, the order stays and an issue says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from heta_framework.common.models.errors import CostLimitReached, ModelSetupError, ReplayMiss
from heta_framework.common.models.rerank.protocol import RerankModelProtocol
from heta_framework.common.models.rerank.types import RerankItem, RerankOptions, RerankRequest
from heta_framework.kb.search.issues import QueryIssue, issue
from heta_framework.kb.search.types import QueryResult


@dataclass(frozen=True)
class Reranked:
    """Results, best first; ``problem`` where they are in the order in which they came."""

    results: tuple[QueryResult, ...]
    problem: QueryIssue | None = None


async def rerank(
    model: RerankModelProtocol,
    question: str,
    results: Sequence[QueryResult],
    top_k: int,
    trace_context: Mapping[str, Any],
) -> Reranked:
    """The best ``top_k`` results by the model's own scores, equal ones in the order in which they came.

    A result's ``score`` becomes the model's; ``metadata`` gets ``rerank_score``, ``reranker_model`` and
    ``pre_rerank_score``.

    Raises:
        CostLimitReached, ReplayMiss, ModelSetupError: the run may not ask, or cannot.
    """
    documents = [result.text for result in results]
    request = RerankRequest(question, documents, RerankOptions(top_n=min(top_k, len(documents))), dict(trace_context))
    try:
        items = (await model.rerank(request)).rankings
        problem = _problem(items, len(documents))
    except (CostLimitReached, ReplayMiss, ModelSetupError):
        raise
    except Exception as error:  # noqa: BLE001 - the reranker is a plugin: its failures cost the order, not the results
        items, problem = (), f"it failed: {type(error).__name__}: {error}"
    if problem:
        kept = issue("rerank_failed", f"Results are not reranked by {model.model_name}: {problem}.", "kept_fused_order")
        return Reranked(tuple(results[:top_k]), kept)
    best = sorted(items, key=lambda item: (-item.score, item.index))[:top_k]
    return Reranked(tuple(_rescored(results[item.index], item.score, model.model_name) for item in best))


def _problem(items: Sequence[RerankItem], count: int) -> str | None:
    """What makes a ranking useless, in words."""
    indices = [item.index for item in items]
    if not items:
        return "its ranking is empty"
    if any(isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count for index in indices):
        return f"its ranking names documents beyond the {count} that there are"
    if len(set(indices)) != len(indices):
        return "its ranking names a document twice"
    if not all(isinstance(item.score, int | float) and isfinite(item.score) for item in items):
        return "it gave a score that is not a finite number"
    return None


def _rescored(result: QueryResult, score: float, model_name: str) -> QueryResult:
    reranked = {"rerank_score": score, "reranker_model": model_name, "pre_rerank_score": result.score}
    return replace(result, score=score, metadata={**result.metadata, **reranked})

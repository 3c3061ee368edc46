"""Several rankings of results become one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from heta_framework.common.stores.fusion import rrf
from heta_framework.kb.search.types import QueryResult

_Key = tuple[str, str]


@dataclass(frozen=True)
class Ranking:
    """What one mode found, best first."""

    mode: str
    results: Sequence[QueryResult]
    weight: float = 1.0


def fuse(rankings: Sequence[Ranking], *, k: float, top_k: int, score_name: str) -> list[QueryResult]:
    """Weighted reciprocal rank fusion, see `heta_framework.common.stores.fusion.rrf`.

    Results are the same when kind and id agree; of several copies the one with the best score of its own is kept.
    Equal scores are in ascending order of kind, then id.

    Returns:
        At most ``top_k`` results, best first; ``metadata`` holds the fused score under ``score_name`` and
        ``retrieval_modes``, the modes that found it.
    """
    copies = _copies(rankings)
    order = [[_joined(result) for result in ranking.results] for ranking in rankings]
    fused = rrf(order, k=k, weights=[ranking.weight for ranking in rankings])
    return [_fused(copies[key], score, score_name) for key, score in fused[:top_k]]


def best_first(results: Iterable[QueryResult]) -> list[QueryResult]:
    """The best copy of each (kind, id), best score first, those without a score last; equal ones as they came."""
    best: dict[_Key, QueryResult] = {}
    for result in results:
        known = best.get((result.kind, result.id))
        if known is None or own_score(result) > own_score(known):
            best[result.kind, result.id] = result
    return sorted(best.values(), key=own_score, reverse=True)


def own_score(result: QueryResult) -> float:
    """The score, for comparisons."""
    return float("-inf") if result.score is None else result.score


def _copies(rankings: Sequence[Ranking]) -> dict[str, list[tuple[str, QueryResult]]]:
    copies: dict[str, list[tuple[str, QueryResult]]] = {}
    for ranking in rankings:
        for result in ranking.results:
            copies.setdefault(_joined(result), []).append((ranking.mode, result))
    return copies


def _fused(copies: list[tuple[str, QueryResult]], score: float, score_name: str) -> QueryResult:
    kept = max((result for _, result in copies), key=own_score)
    modes = tuple(dict.fromkeys(mode for mode, _ in copies))
    return replace(kept, score=score, metadata={**kept.metadata, score_name: score, "retrieval_modes": modes})


def _joined(result: QueryResult) -> str:
    """Kind and id as one text that no other pair gives."""
    return f"{result.kind}\0{result.id}"

"""Where walks begin: at the entities of the facts that a question is about, and a little at passages that resemble it.

After HippoRAG 2 (arXiv 2502.14802, section 3; github.com/OSU-NLP-Group/HippoRAG): an entity of a fact weighs the fact's
score divided by the number of passages that hold the entity, averaged over the facts that it stands in; a passage
weighs its own score, scaled to [0, 1], times a small factor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]


def seeds_of_relations(snapshot: GraphSnapshot, scored: Sequence[tuple[str, float]]) -> dict[int, float]:
    """Weights of entities, by number, from relations with scores, best first; unknown relations are passed over."""
    weights: dict[int, list[float]] = defaultdict(list)
    known = [(fact_id, score) for fact_id, score in scored if fact_id in snapshot.relation_positions]
    for (fact_id, _), score in zip(known, scaled([score for _, score in known]), strict=True):
        for entity in map(int, snapshot.relation_ends[snapshot.relation_positions[fact_id]]):
            weights[entity].append(score / max(int(snapshot.passages_by_entity[entity]), 1))
    return _means(weights)


def seeds_of_entities(snapshot: GraphSnapshot, scored: Sequence[tuple[str, float]]) -> dict[int, float]:
    """The same from entities themselves."""
    known = [(snapshot.entity_positions[one], score) for one, score in scored if one in snapshot.entity_positions]
    shares = scaled([score for _, score in known])
    return {
        entity: share / max(int(snapshot.passages_by_entity[entity]), 1)
        for (entity, _), share in zip(known, shares, strict=True)
        if share > 0
    }


def reset_vector(
    snapshot: GraphSnapshot, seeds: Mapping[int, float], passages: Mapping[str, float], passage_weight: float
) -> Vector:
    """Where walks begin, (entities + passages,).

    Args:
        passages: scores by chunk; unknown chunks are passed over.
    """
    import numpy as np

    reset = np.zeros(snapshot.node_count)
    for entity, weight in seeds.items():
        reset[entity] = weight
    known = {chunk_id: score for chunk_id, score in passages.items() if chunk_id in snapshot.passage_positions}
    for chunk_id, share in zip(known, scaled(list(known.values())), strict=True):
        reset[len(snapshot.entity_ids) + snapshot.passage_positions[chunk_id]] = share * passage_weight
    return reset


def scaled(scores: Sequence[float]) -> list[float]:
    """Scores brought to (0, 1]: the best is 1, the worst of several still counts a hundredth; equal ones are all 1."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if high <= low:
        return [1.0] * len(scores)
    return [max((score - low) / (high - low), _LEAST_SHARE) for score in scores]


_LEAST_SHARE = 0.01


def _means(weights: Mapping[int, Sequence[float]]) -> dict[int, float]:
    return {entity: sum(parts) / len(parts) for entity, parts in weights.items()}

"""Ranks passages by a walk."""

from __future__ import annotations

from dataclasses import dataclass

from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot
from heta_framework.kb.graphing.searching.pagerank import Walk, personalised_pagerank
from heta_framework.kb.graphing.searching.ppr_options import PprOptions
from heta_framework.kb.graphing.searching.ppr_seeds import Seeds
from heta_framework.kb.graphing.searching.seeding import reset_vector

_UNREACHED = 1e-12


@dataclass(frozen=True)
class Ranking:
    """Passages, (chunk, PageRank), best first, and how long the walk took to settle."""

    passages: list[tuple[str, float]]
    iterations: int


def ranked_passages(snapshot: GraphSnapshot, walk: Walk, seeds: Seeds, options: PprOptions) -> Ranking:
    """The passages that the walk reaches; none where there is nowhere to begin."""
    import numpy as np

    reset = reset_vector(snapshot, seeds.entities, seeds.passages, options.passage_weight)
    if not reset.any():
        return Ranking([], 0)
    rank, iterations = personalised_pagerank(walk, reset, options.damping)
    share = rank[len(snapshot.entity_ids) :]
    order = np.argsort(-share, kind="stable")
    reached = order[share[order] > _UNREACHED]
    return Ranking([(snapshot.passage_ids[int(row)], float(share[row])) for row in reached], iterations)

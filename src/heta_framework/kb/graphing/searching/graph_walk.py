"""The walk of HippoRAG 2 (arXiv 2502.14802) on a graph: nodes are its entities, then its passages."""

from __future__ import annotations

from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot
from heta_framework.kb.graphing.searching.pagerank import Walk, walk_on


def entity_passage_walk(snapshot: GraphSnapshot, synonym_threshold: float) -> Walk:
    """Edges: relations, with the number of passages that state them; entity and passage, 1; synonyms, their cosine.

    Args:
        synonym_threshold: the least cosine of synonyms that are joined.
    """
    import numpy as np

    entities = len(snapshot.entity_ids)
    close = snapshot.similarities >= max(synonym_threshold, np.finfo(float).tiny)
    ends = np.concatenate(
        [snapshot.relation_ends, snapshot.mentions + np.asarray([0, entities]), snapshot.synonyms[close]]
    )
    weights = np.concatenate(
        [
            snapshot.relation_counts.astype(np.float64),
            np.ones(len(snapshot.mentions)),
            snapshot.similarities[close],
        ]
    )
    return walk_on(snapshot.node_count, ends, weights)

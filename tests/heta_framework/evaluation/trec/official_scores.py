"""What pytrec_eval says of a run, under our names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytrec_eval

from heta_framework.evaluation.trec import Qrels, Run, default_measures, score_run

CUTOFFS = (1, 2, 3, 5, 10, 100)
OFFICIAL = {"ndcg": "ndcg_cut", "map": "map_cut", "recall": "recall", "precision": "P"}


def differences(run: Run, qrels: Qrels, cutoffs: Sequence[int] = CUTOFFS) -> dict[tuple[str, str], tuple[float, float]]:
    """(ours, official) of every (question, measure) in which the two are not the same number."""
    ours = score_run(run, qrels, default_measures(cutoffs)).by_query
    return {
        (query, name): (ours[query][name], value)
        for query, scores in official_scores(run, qrels, cutoffs).items()
        for name, value in scores.items()
        if ours[query][name] != value
    }


def official_scores(run: Run, qrels: Qrels, cutoffs: Sequence[int] = CUTOFFS) -> dict[str, dict[str, float]]:
    """By question; ``mrr@k`` is the recip_rank of the first k documents in trec_eval's order.

    Questions without a result are missing, as pytrec_eval leaves them out.
    """
    found = {query: documents for query, documents in run.items() if documents}
    names = {f"{name}.{','.join(map(str, cutoffs))}" for name in OFFICIAL.values()}
    scores = {
        query: {f"{ours}@{k}": values[f"{name}_{k}"] for ours, name in OFFICIAL.items() for k in cutoffs}
        for query, values in pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(found).items()
    }
    first = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})
    for k in cutoffs:
        cut = {query: _first(documents, k) for query, documents in found.items()}
        for query, values in first.evaluate(cut).items():
            scores[query][f"mrr@{k}"] = values["recip_rank"]
    return scores


def _first(documents: Mapping[str, float], k: int) -> dict[str, float]:
    with np.errstate(over="ignore"):
        single = {document: np.float32(score) for document, score in documents.items()}
    ordered = sorted(documents, key=lambda document: (single[document], document), reverse=True)
    return {document: documents[document] for document in ordered[:k]}

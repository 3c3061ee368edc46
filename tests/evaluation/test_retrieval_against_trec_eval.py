"""Recall, reciprocal rank and nDCG equal trec_eval's where every item is one event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.evaluation.retrieval import ndcg_at_k, recall_at_k, reciprocal_rank

pytrec_eval = pytest.importorskip("pytrec_eval")

IDS = st.sampled_from("abcdefgh")


@given(ranking=st.lists(IDS, unique=True), gold=st.sets(IDS, min_size=1), k=st.integers(1, 10))
def test_single_ids_equal_trec_eval(ranking: list[str], gold: set[str], k: int) -> None:
    judge = pytrec_eval.RelevanceEvaluator(
        {"q": dict.fromkeys(gold, 1)}, {f"recall.{k}", f"ndcg_cut.{k}", "recip_rank"}
    )
    run = {event_id: float(-rank) for rank, event_id in enumerate(ranking)}
    official = judge.evaluate({"q": run})["q"] if run else {f"recall_{k}": 0.0, f"ndcg_cut_{k}": 0.0, "recip_rank": 0.0}

    items = [[event_id] for event_id in ranking]
    assert recall_at_k(items, gold, k) == pytest.approx(official[f"recall_{k}"], abs=1e-12)
    assert ndcg_at_k(items, gold, k) == pytest.approx(official[f"ndcg_cut_{k}"], abs=1e-12)
    assert reciprocal_rank(items, gold) == pytest.approx(official["recip_rank"], abs=1e-12)

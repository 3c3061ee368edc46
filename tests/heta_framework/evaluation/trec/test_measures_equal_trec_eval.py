"""Every measure is bit for bit what trec_eval computes: graded and negative labels, ties, scores of any size."""

from __future__ import annotations

from math import log2

from hypothesis import given
from hypothesis import strategies as st
from official_scores import differences

from heta_framework.evaluation.trec import Measure, score_run

IDS = st.one_of(st.sampled_from("abcdefghij"), st.text("aZ9é漢😀-/.", min_size=1, max_size=3))
SCORES = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, 1.0 + 1e-9, -1.0, 1e-46]),  # ties, some of them only in single precision
    st.floats(allow_nan=False, allow_infinity=True, width=64).filter(lambda score: not 3.4e38 < abs(score) < 1e308),
)
LABELS = st.dictionaries(IDS, st.integers(-2, 4), min_size=1, max_size=15).filter(
    lambda labels: max(labels.values()) >= 0  # pytrec_eval writes outside of its memory where all labels are below -1
)


@given(run=st.dictionaries(IDS, SCORES, max_size=25), labels=LABELS)
def test_a_question_scores_as_in_trec_eval(run: dict[str, float], labels: dict[str, int]) -> None:
    assert not differences({"q": run}, {"q": labels})


def test_ties_beyond_single_precision_are_broken_by_the_id_falling() -> None:
    """Fault M3: the order of the engine is not the order of trec_eval where scores are equal."""
    everything_equal = dict.fromkeys("acbd", 0.5)
    nearly_equal = {"a": 0.5, "c": 0.5 + 1e-10, "b": 0.5 - 1e-10, "d": 0.5}
    for run in (everything_equal, nearly_equal):
        scores = score_run({"q": run}, {"q": {"d": 1}}).by_query["q"]
        assert (scores["precision@1"], scores["mrr@1"]) == (1.0, 1.0)
        assert not differences({"q": run}, {"q": {"d": 1, "a": 2}})


def test_ndcg_has_trec_evals_linear_gain_on_graded_labels() -> None:
    """Fault M1: the gain 2^label - 1 is another measure, and has another name."""
    run, labels = {"q": {"low": 2.0, "high": 1.0}}, {"q": {"low": 1, "high": 3}}
    assert not differences(run, labels)
    measures = [Measure("ndcg", 10), Measure("ndcg_exponential", 10)]
    scores = score_run(run, labels, measures).by_query["q"]
    assert scores["ndcg@10"] > scores["ndcg_exponential@10"]
    assert set(scores) == {"ndcg@10", "ndcg_exponential@10"}


def test_map_is_divided_by_all_relevant_documents() -> None:
    """Fault M2: dividing by min(relevant, k) makes MAP@1 of five relevant documents five times too high."""
    labels = {"q": dict.fromkeys("abcde", 1)}
    assert score_run({"q": {"a": 1.0}}, labels).by_query["q"]["map@1"] == 0.2
    assert not differences({"q": {"a": 1.0}}, labels)


def test_a_label_of_2000_overflows_nothing() -> None:
    run, labels = {"q": {"a": 2.0, "b": 1.0, "c": 0.5}}, {"q": {"a": 1, "b": 2000, "c": 7}}
    assert not differences(run, labels)
    exponential = score_run(run, labels, [Measure("ndcg_exponential", 3)]).by_query["q"]
    assert 0.63 < exponential["ndcg_exponential@3"] < 0.631  # all of the gain at rank 2: 1 / log2(3)


@given(levels=st.lists(st.integers(1, 30), min_size=1, max_size=8), k=st.integers(1, 10))
def test_the_exponential_gain_is_exact_where_its_powers_are(levels: list[int], k: int) -> None:
    def gained(ordered: list[int]) -> float:
        total = 0.0
        for rank, level in enumerate(ordered[:k], start=1):
            total += (2**level - 1) / log2(rank + 1)
        return total

    run = {f"d{place}": float(-place) for place in range(len(levels))}
    labels = dict(zip(run, levels, strict=True))
    scores = score_run({"q": run}, {"q": labels}, [Measure("ndcg_exponential", k)]).by_query["q"]
    assert scores[f"ndcg_exponential@{k}"] == gained(levels) / gained(sorted(levels, reverse=True))


def test_a_question_without_a_positive_label_scores_zero() -> None:
    labels = {"q": {"a": 0, "b": -1}}
    assert not differences({"q": {"a": 1.0, "b": 0.5}}, labels)
    for labels in ({"q": {"a": 0, "b": -1}}, {"q": {"a": -2}}):
        assert set(score_run({"q": {"a": 1.0}}, labels).by_query["q"].values()) == {0.0}

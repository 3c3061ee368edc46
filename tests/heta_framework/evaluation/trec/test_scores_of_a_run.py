"""A run as a whole: which questions are behind a mean, and which are not."""

from __future__ import annotations

import pytest

from heta_framework.evaluation.trec import Measure, default_measures, score_run

QRELS = {"found": {"a": 1}, "not_asked": {"a": 1}, "nothing_relevant": {"a": 0}, "half": {"a": 2, "b": 1}}
RUN = {"found": {"a": 1.0}, "nothing_relevant": {"a": 1.0}, "half": {"b": 1.0}, "stray": {"a": 1.0}}


def test_a_question_without_results_counts_zero_and_one_without_relevant_documents_is_left_out() -> None:
    scores = score_run(RUN, QRELS, [Measure("recall", 10)])
    assert (scores.without_run, scores.without_positive, scores.without_labels) == (
        ("not_asked",), ("nothing_relevant",), ("stray",)
    )  # fmt: skip
    assert scores.values("recall@10") == [1.0, 0.0, 0.5]
    assert (scores.counted, scores.mean("recall@10")) == (3, 0.5)
    assert set(scores.by_query) == set(QRELS)


def test_a_run_without_questions_that_count_has_no_mean() -> None:
    scores = score_run(RUN, {"nothing_relevant": {"a": -1}})
    assert (scores.counted, scores.mean("ndcg@10")) == (0, None)


def test_the_question_with_a_bad_score_is_named() -> None:
    with pytest.raises(ValueError, match="question 'q': the score of 'd' is NaN"):
        score_run({"q": {"d": float("nan")}}, {"q": {"d": 1}})


def test_the_25_measures_come_metric_after_metric() -> None:
    names = [measure.name for measure in default_measures()]
    assert names[:6] == ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "ndcg@100", "map@1"]
    assert (len(names), names[-1]) == (25, "mrr@100")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ndgc@10", "did you mean ndcg@10"),
        ("ndcg", "expected metric@k"),
        ("map@0", "k at least 1"),
        ("P@5", "did you mean precision@5"),
        ("ndcg_cut_20", "did you mean ndcg@20"),
        ("recip_rank", "did you mean mrr@10"),
    ],
)
def test_a_measure_that_does_not_exist_is_answered_with_those_that_do(name: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        Measure.parse(name)
    assert Measure.parse("mrr@7") == Measure("mrr", 7)

"""The order of documents: of a response's results, of scores that are equal, and of scores that are missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.evaluation.trec import ranked_documents, trec_order
from heta_framework.evaluation.trec.ranking import ranks_of
from heta_framework.kb import QueryResponse, QueryResult

SCORES = st.dictionaries(st.text("abcé漢", min_size=1, max_size=3), st.sampled_from([0.0, 0.25, 0.5, 1 / 3, 9.5]))


@given(scores=SCORES, wanted=st.sets(st.text("abcé漢", min_size=1, max_size=3)))
def test_ranks_are_the_places_in_the_order(scores: dict[str, float], wanted: set[str]) -> None:
    places = [(rank, document) for rank, document in enumerate(trec_order(scores), start=1) if document in wanted]
    assert ranks_of(wanted, scores) == places


def test_equal_scores_are_ordered_by_the_id_falling_as_utf_8() -> None:
    assert trec_order(dict.fromkeys(["a", "Z", "é", "😀", "漢", "aa"], 1.0)) == ["😀", "漢", "é", "aa", "a", "Z"]


def test_a_score_that_is_no_number_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'b' is NaN"):
        trec_order({"a": 1.0, "b": float("nan")})
    assert trec_order({"a": float("-inf"), "b": float("inf")}) == ["b", "a"]


def test_a_document_is_ranked_by_its_best_chunk() -> None:
    response = _response(("a", 0.1), ("b", 0.4), ("a", 0.9), ("b", 0.5))
    assert ranked_documents(response) == (("a", 0.9), ("b", 0.5))


def test_results_without_scores_keep_the_order_of_the_engine() -> None:
    assert ranked_documents(_response(("z", None), ("a", None), ("z", None))) == (("z", 1.0), ("a", 0.5))
    assert [name for name, _ in ranked_documents(_response(("b", 0.1), ("a", None), ("c", 0.9)))] == ["b", "a", "c"]
    assert [name for name, _ in ranked_documents(_response(("b", 0.1), ("a", float("nan"))))] == ["b", "a"]


def test_the_order_of_the_engine_decides_nothing_where_there_are_scores() -> None:
    assert ranked_documents(_response(("a", 0.5), ("b", 0.5))) == (("b", 0.5), ("a", 0.5))


def _response(*found: tuple[str, float | None]) -> QueryResponse:
    results = (
        QueryResult(f"chunk_{place}", "text", score, source={"document_id": document})
        for place, (document, score) in enumerate(found)
    )
    return QueryResponse("m", tuple(results))

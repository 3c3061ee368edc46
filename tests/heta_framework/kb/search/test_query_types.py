"""What requests, results and responses accept, and how they keep it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from heta_framework.kb.search import (
    QueryCitation,
    QueryInsight,
    QueryRequest,
    QueryResponse,
    QueryResult,
    QueryTraceEvent,
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: QueryRequest(" "), "text must not be empty"),
        (lambda: QueryRequest("q", mode=" "), "mode must not be empty"),
        (lambda: QueryRequest("q", top_k=0), "top_k must be greater than zero"),
        (lambda: QueryResult("", "t"), "id must not be empty"),
        (lambda: QueryResult("a", " "), "text must not be empty"),
        (lambda: QueryResult("a", "t", kind=""), "kind must not be empty"),
        (lambda: QueryCitation("a", result_id=" "), "result_id must not be empty"),
        (lambda: QueryCitation("a", text=""), "text must not be empty"),
        (lambda: QueryTraceEvent("", "m"), "stage must not be empty"),
        (lambda: QueryTraceEvent("s", " "), "message must not be empty"),
        (lambda: QueryInsight("", ("a",)), "text must not be empty"),
        (lambda: QueryInsight("a", ()), "evidence_ids must not be empty"),
        (lambda: QueryInsight("a", (" ",)), "evidence_ids must not contain empty values"),
        (lambda: QueryInsight("a", ("b", " b ")), "evidence_ids must not contain duplicates"),
        (lambda: QueryResponse(""), "mode must not be empty"),
        (lambda: QueryResponse("m", answer=" "), "answer must not be empty"),
    ],
)
def test_blank_fields_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_texts_are_stripped_and_containers_are_copies() -> None:
    source = {"document_id": "d"}
    result = QueryResult(" a ", " t ", source=source)
    source["document_id"] = "other"
    response = QueryResponse("m", [result], insights=[QueryInsight(" x ", [" y "])])  # type: ignore[arg-type]
    assert (result.id, result.text, result.source) == ("a", "t", {"document_id": "d"})
    assert response.results == (result,)
    assert response.insights == (QueryInsight("x", ("y",)),)
    with pytest.raises(FrozenInstanceError):
        result.id = "b"  # type: ignore[misc]


def test_the_fields_of_a_response_keep_their_order() -> None:
    response = QueryResponse(
        "m", (), "answer", (QueryCitation("c"),), (QueryTraceEvent("s", "m"),), {"k": 1}, (QueryInsight("i", ("e",)),)
    )
    assert (response.answer, response.citations[0].id, response.trace[0].stage) == ("answer", "c", "s")
    assert (response.metadata, response.insights[0].text) == ({"k": 1}, "i")


def test_a_lone_surrogate_in_a_question_can_be_written_as_utf_8() -> None:
    assert QueryRequest("caf\udce9").text == "caf\ufffd"

"""`CitationPrecision` and `CitationRecall`: citations against evidence labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import at, case, is_unlabelled, result, score

from heta_framework.evaluation import BenchmarkEvidence, CitationPrecision, CitationRecall
from heta_framework.evaluation.types import EvaluationScore
from heta_framework.kb import QueryCitation, QueryResponse

RESULTS = (result("Green light.", "r1", document_id="a"), result("Red light.", "r2", document_id="b"))


def both(labels: list[BenchmarkEvidence], *citations: QueryCitation) -> tuple[EvaluationScore, EvaluationScore]:
    response = QueryResponse("m", RESULTS, citations=citations)
    asked = case(evidence=labels)
    return score(CitationPrecision(), asked, response), score(CitationRecall(), asked, response)


def test_precision_counts_citations_and_recall_counts_evidence() -> None:
    labels = [at(document_id="a"), at(document_id="z"), BenchmarkEvidence(reference_id="a")]
    citations = [QueryCitation(f"citation_{rank}", name) for rank, name in enumerate(("r1", "r2", "r1"), 1)]
    precision, recall = both(labels, *citations)
    assert (precision.name, precision.value) == ("citation_precision", 2 / 3)
    assert precision.metadata == {"matched": 2, "citations": 3, "not_in_evidence": ["r2"]}
    assert (recall.name, recall.value) == ("citation_recall", 2 / 3)
    assert recall.metadata == {
        "matched": 2,
        "expected": 3,
        "matched_reference_ids": ["a"],
        "missing": [{"locator": {"document_id": "z"}}],
    }


@pytest.mark.parametrize(
    ("citation", "label"),
    [
        (QueryCitation("c", "r1"), at(document_id="a")),
        (QueryCitation("c", "r1"), BenchmarkEvidence(text="green light")),
        (QueryCitation("c", "r1"), BenchmarkEvidence(reference_id="r1")),
        (QueryCitation("c", source={"document_id": "q"}), at(document_id="q")),
        (QueryCitation("c", "r1", source={"document_id": "q"}), at(document_id="q")),
        (QueryCitation("c", text="A blue light."), BenchmarkEvidence(text="blue light")),
        (QueryCitation("c", "unknown"), BenchmarkEvidence(reference_id="unknown")),
        (QueryCitation("c"), BenchmarkEvidence(reference_id="c")),
    ],
)
def test_a_citation_speaks_for_itself_or_for_the_result_that_it_names(
    citation: QueryCitation, label: BenchmarkEvidence
) -> None:
    assert [verdict.value for verdict in both([label], citation)] == [1.0, 1.0]


def test_a_citation_without_a_text_says_nothing() -> None:
    assert [verdict.value for verdict in both([BenchmarkEvidence(text="blue")], QueryCitation("c"))] == [0.0, 0.0]


def test_without_citations_both_are_0() -> None:
    assert [verdict.value for verdict in both([at(document_id="a")])] == [0.0, 0.0]


def test_a_case_without_evidence_is_unlabelled() -> None:
    for verdict in both([], QueryCitation("c", "r1")):
        is_unlabelled(verdict)


NAMES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)


@given(NAMES, NAMES)
def test_both_are_shares(cited: list[str], gold: list[str]) -> None:
    citations = [QueryCitation(f"c{rank}", source={"document_id": name}) for rank, name in enumerate(cited)]
    precision, recall = both([at(document_id=name) for name in gold], *citations)
    assert precision.value == sum(name in gold for name in cited) / len(cited)
    assert recall.value == sum(name in cited for name in gold) / len(gold)

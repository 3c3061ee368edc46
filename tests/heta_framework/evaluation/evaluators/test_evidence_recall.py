"""`EvidenceRecallAtK`: which label decides, what the metadata say, and what is no match."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import at, case, found, is_unlabelled, result, score

from heta_framework.evaluation import BenchmarkEvidence, EvidenceRecallAtK
from heta_framework.kb import QueryResponse


def test_the_documented_example_scores_1() -> None:
    row = json.loads(
        '{"case_id":"case_1","query":"What is discussed?","expected":{"answers":["Marine biodiversity"],"evidence":'
        '[{"locator":{"document_id":"doc_1"},"text":"Marine biodiversity."}]}}'
    )
    evidence = [BenchmarkEvidence(**one) for one in row["expected"]["evidence"]]
    chunk = result("Marine biodiversity.", document_id="doc_1", object_key="raw/benchmarks/b/test/doc_1/doc.txt")
    for match in ("first", "all", "any"):
        assert found(EvidenceRecallAtK(k=5, match=match), evidence, chunk).value == 1.0


def test_the_raw_key_tells_the_document_where_the_id_was_made_from_content() -> None:
    chunk = result(document_id="doc_0123456789abcdef", object_key="raw/benchmarks/b/test/doc_1/doc.txt")
    assert found(EvidenceRecallAtK(), at(document_id="doc_1"), chunk).value == 1.0
    assert found(EvidenceRecallAtK(), at(document_id="doc_0123456789abcdef"), chunk).value == 1.0


@pytest.mark.parametrize("document_id", ["a/b", "/etc/x", "a" * 300, "café/é", "id with spaces"])
def test_document_ids_of_any_kind_match(document_id: str) -> None:
    chunk = result(document_id=document_id)
    assert found(EvidenceRecallAtK(), at(document_id=document_id), chunk).value == 1.0
    assert found(EvidenceRecallAtK(), BenchmarkEvidence(reference_id=document_id), chunk).value == 1.0


HERE = {"document_id": "here"}
SAID = "The northern pier shows a green light."


@pytest.mark.parametrize(
    ("locator", "reference_id", "text", "first", "all_hold", "any_holds"),
    [
        (HERE, "here", SAID, 1.0, 1.0, 1.0),
        (HERE, "elsewhere", "never said", 1.0, 0.0, 1.0),
        ({"document_id": "elsewhere"}, "here", SAID, 0.0, 0.0, 1.0),
        ({}, "here", "never said", 1.0, 0.0, 1.0),
        ({}, "elsewhere", SAID, 0.0, 0.0, 1.0),
        ({}, None, SAID, 1.0, 1.0, 1.0),
        ({}, None, "never said", 0.0, 0.0, 0.0),
        (HERE, None, "never said", 1.0, 0.0, 1.0),
        ({"document_id": None}, None, SAID, 1.0, 1.0, 1.0),
    ],
)
def test_locator_then_reference_then_text(
    locator: dict[str, str], reference_id: str | None, text: str, first: float, all_hold: float, any_holds: float
) -> None:
    label = BenchmarkEvidence(reference_id, locator, text)
    chunk = result(SAID, document_id="here")
    assert found(EvidenceRecallAtK(), label, chunk).value == first
    assert found(EvidenceRecallAtK(match="all"), label, chunk).value == all_hold
    assert found(EvidenceRecallAtK(match="any"), label, chunk).value == any_holds


def test_all_labels_must_hold_of_the_same_result() -> None:
    label = BenchmarkEvidence(locator=HERE, text=SAID)
    apart = (result("Something else.", document_id="here"), result(SAID, document_id="elsewhere"))
    assert found(EvidenceRecallAtK(match="all"), label, *apart).value == 0.0
    assert found(EvidenceRecallAtK(match="all"), label, *apart, result(SAID, document_id="here")).value == 1.0


def test_a_scrap_of_text_is_not_found_in_the_label() -> None:
    label = BenchmarkEvidence(text="the shock wave")
    assert found(EvidenceRecallAtK(), label, result("the"), result("shock")).value == 0.0
    assert found(EvidenceRecallAtK(), label, result("Behind the Shock\n wave, heat.")).value == 1.0


@pytest.mark.parametrize(
    "source",
    [
        {"document_id": "d"},
        {"document_ids": ["c", "d"]},
        {"source_keys": ("d",)},
        {"object_key": "d"},
        {"chunk_ids": ("d", "e")},
    ],
)
def test_a_reference_names_a_document_a_raw_key_or_a_chunk(source: dict[str, Any]) -> None:
    label = BenchmarkEvidence(reference_id="d", text="never said")
    assert found(EvidenceRecallAtK(), label, result(**source)).value == 1.0
    assert found(EvidenceRecallAtK(), label, result(result_id="d")).value == 1.0
    assert found(EvidenceRecallAtK(), BenchmarkEvidence(reference_id="other"), result(**source)).value == 0.0


def test_only_the_first_k_results_count() -> None:
    results = [result(result_id=f"r{rank}", document_id=f"d{rank}") for rank in range(1, 8)]
    labels = [BenchmarkEvidence(reference_id=f"d{rank}") for rank in (1, 3, 6)]
    verdict = found(EvidenceRecallAtK(5), labels, *results)
    assert (verdict.name, verdict.value, verdict.passed) == ("evidence_recall@5", 2 / 3, None)
    assert verdict.metadata == {
        "matched": 2,
        "expected": 3,
        "matched_reference_ids": ["d1", "d3"],
        "ranks": [1, 3, None],
        "missing": [{"reference_id": "d6"}],
    }


def test_what_is_missing_is_shown_shortened() -> None:
    label = BenchmarkEvidence("gone", {"page_index": 3, "path": object()}, "word " * 100)
    (missing,) = found(EvidenceRecallAtK(), label, result()).to_dict()["metadata"]["missing"]
    assert missing["reference_id"] == "gone"
    assert missing["locator"]["page_index"] == 3
    assert len(missing["text"]) == 120
    json.dumps(missing, allow_nan=False)


def test_a_case_without_evidence_is_unlabelled() -> None:
    response = QueryResponse("m", (result(),))
    assert is_unlabelled(score(EvidenceRecallAtK(), case("an answer"), response)) == {
        "skipped": True,
        "reason": "case has no expected evidence",
    }
    blank = case(evidence=[at(page_index=None)])
    is_unlabelled(score(EvidenceRecallAtK(), blank, response))
    assert not EvidenceRecallAtK().is_labelled(blank)
    assert EvidenceRecallAtK().is_labelled(case(evidence=[at(page_index=0)]))


def test_without_results_nothing_is_found() -> None:
    assert found(EvidenceRecallAtK(), at(page_index=0)).value == 0.0


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"k": 0}, "k must be greater than zero"),
        ({"match": "some"}, "match must be one of: first, all, any; found 'some'"),
        ({"text_coverage": 0}, "text_coverage must be above 0 and at most 1, found 0"),
        ({"text_coverage": float("nan")}, "text_coverage must be above 0"),
    ],
)
def test_settings_are_checked(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        EvidenceRecallAtK(**settings)  # type: ignore[arg-type]


def test_two_of_them_can_stand_beside_each_other() -> None:
    assert EvidenceRecallAtK(3).name == "evidence_recall@3"
    assert EvidenceRecallAtK(3, match="all", score_name="fact_recall@3").name == "fact_recall@3"
    assert EvidenceRecallAtK(3).required_top_k == 3


DOCUMENTS = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(DOCUMENTS, st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5), st.integers(1, 8))
def test_more_results_never_find_less(ranking: list[str], gold: list[str], k: int) -> None:
    results = [result(result_id=f"r{rank}", document_id=name) for rank, name in enumerate(ranking)]
    labels = [BenchmarkEvidence(reference_id=name) for name in gold]
    less, more = (float(found(EvidenceRecallAtK(at_k), labels, *results).value) for at_k in (k, k + 1))
    assert 0.0 <= less <= more <= 1.0
    assert less == sum(name in ranking[:k] for name in gold) / len(gold)


@given(
    st.sampled_from([None, "here", "there"]),
    st.sampled_from([{}, HERE, {"document_id": "there"}]),
    st.sampled_from([SAID, "never said"]),
)
def test_all_implies_first_implies_any(reference_id: str | None, locator: dict[str, str], text: str) -> None:
    label = BenchmarkEvidence(reference_id, locator, text)
    chunk = result(SAID, document_id="here")
    strict, first, loose = (
        float(found(EvidenceRecallAtK(match=rule), label, chunk).value) for rule in ("all", "first", "any")
    )
    assert strict <= first <= loose


def test_documents_that_were_judged_not_relevant_are_not_looked_for() -> None:
    judged = [
        BenchmarkEvidence(reference_id="good", metadata={"relevance": 2}),
        BenchmarkEvidence(reference_id="bad", metadata={"relevance": 0}),
    ]
    verdict = found(EvidenceRecallAtK(), judged, result(document_id="good"))
    assert verdict.value == 1.0
    assert verdict.metadata["expected"] == 1
    assert is_unlabelled(found(EvidenceRecallAtK(), judged[1:], result(document_id="good")))

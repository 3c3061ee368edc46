"""Locators: which keys there are, how values are compared, and where several passages are told apart."""

from __future__ import annotations

from typing import Any

import pytest
from scoring import at, found, result

from heta_framework.evaluation import BenchmarkEvidence, EvidenceRecallAtK

CHUNK = result(
    result_id="chunk_9",
    document_id="manual",
    object_key="raw/benchmarks/b/test/manual/m.pdf",
    page_index=4,
    chunk_ids=("chunk_9", "chunk_10"),
    table_id="t2",
    row_index=0,
    column="fee",
    share=0.5,
    draft=False,
    heading_path=["Fees", "Yachts"],
    origin={"object_key": "uploads/m.pdf", "document_id": "upload"},
    document_metadata={"year": 2024, "page_index": 77},
    metadata={"origin_source_key": "older/m.pdf"},
)


def holds(label: BenchmarkEvidence) -> bool:
    return found(EvidenceRecallAtK(), label, CHUNK).value == 1.0


@pytest.mark.parametrize(
    "locator",
    [
        {"document_id": "manual"},
        {"source_key": "raw/benchmarks/b/test/manual/m.pdf"},
        {"object_key": "raw/benchmarks/b/test/manual/m.pdf"},
        {"source_key": "uploads/m.pdf"},
        {"object_key": "older/m.pdf"},
        {"source_key_prefix": "raw/benchmarks/b/test/manual/"},
        {"source_key_prefix": ["nowhere/", "uploads/"]},
        {"chunk_id": "chunk_9"},
        {"chunk_id": "chunk_10"},
        {"chunk_ids": ["chunk_3", "chunk_10"]},
        {"document_ids": ["other", "manual"]},
        {"page_index": 4},
        {"page_index": 4.0},
        {"page_index": "4"},
        {"page_index": [3, 4]},
        {"page_index": None, "document_id": "manual"},
        {"table_id": "t2", "row_index": 0, "column": "fee"},
        {"share": "0.5"},
        {"draft": False},
        {"heading_path": "Yachts"},
        {"heading_path": ["Fees", "Yachts"]},
        {"year": 2024},
        {"document_id": "manual", "page_index": 4, "chunk_id": "chunk_9"},
    ],
)
def test_a_locator_holds(locator: dict[str, Any]) -> None:
    assert holds(at(**locator))


@pytest.mark.parametrize(
    "locator",
    [
        {"document_id": "man"},
        {"document_id": "chunk_9"},
        {"source_key": "raw/benchmarks/b/test/manual/"},
        {"source_key_prefix": "test/manual/"},
        {"chunk_id": "chunk_1"},
        {"page_index": 5},
        {"page_index": "04"},
        {"page_index": 77},
        {"page_index": True},
        {"row_index": False},
        {"draft": 0},
        {"table_id": "T2"},
        {"unknown": "x"},
        {"unknown": ""},
        {"document_id": "manual", "page_index": 5},
    ],
)
def test_a_locator_does_not_hold(locator: dict[str, Any]) -> None:
    assert not holds(at(**locator))


def test_a_document_id_that_is_a_number_is_its_text() -> None:
    assert found(EvidenceRecallAtK(), at(document_id=184), result(document_id="184")).value == 1.0


def test_the_document_and_the_page_are_looked_for_in_the_same_passage_of_a_fact() -> None:
    passages = [
        {"chunk_id": "c1", "document_id": "a", "source_key": "raw/a.txt", "metadata": {"page_index": 1}},
        {"chunk_id": "c2", "document_id": "b", "source_key": "raw/b.txt", "metadata": {"page_index": 2}},
    ]
    fact = result(
        result_id="relation_1",
        document_id="a",
        page_index=1,
        chunk_ids=("c1", "c2"),
        document_ids=("a", "b"),
        metadata={"evidence": passages},
    )
    for locator in ({"document_id": "b", "page_index": 2}, {"chunk_id": "c2"}, {"source_key": "raw/b.txt"}):
        assert found(EvidenceRecallAtK(), at(**locator), fact).value == 1.0
    assert found(EvidenceRecallAtK(), at(document_id="b", page_index=1), fact).value == 0.0
    assert found(EvidenceRecallAtK(), at(chunk_id="relation_1"), fact).value == 1.0
    assert found(EvidenceRecallAtK(), BenchmarkEvidence(reference_id="b"), fact).value == 1.0

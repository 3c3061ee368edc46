"""`gold: audited`: each finding of the audit corrects its question, by name, or is reported as not fitting."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.locomo import LocomoBenchmark, LocomoBenchmarkConfig
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.datasets import find_entry

Audited = Callable[..., LocomoBenchmark]


def _finding(index: int, question: str, golden: Any, **changes: Any) -> dict[str, Any]:
    return {
        "question_id": f"locomo_0_qa{index}",
        "question": question,
        "golden_answer": golden,
        "category": 4,
        "error_type": "HALLUCINATION",
        "cited_evidence": [],
        "correct_evidence": ["D1:1"],
        "reasoning": "because",
        "correct_answer": "white",
    } | changes


_CAT = _finding(3, "What colour is Ada's cat?", "grey")


@pytest.fixture
def audited(
    locomo_record: dict[str, Any], locomo_settings: dict[str, Any], write_json: Callable[[Any], Path]
) -> Audited:
    """Builds the benchmark under an audit with the given findings."""

    def build(*findings: Any, **changes: Any) -> LocomoBenchmark:
        audit = write_json(list(findings))
        gold = {"gold": "audited", "audit_file": audit, "audit_sha256": sha256(audit.read_bytes()).hexdigest()}
        data = {"data_file": write_json([locomo_record])}
        return LocomoBenchmark(LocomoBenchmarkConfig.model_validate({**locomo_settings, **data, **gold, **changes}))

    return build


def _markers(benchmark: LocomoBenchmark, position: int) -> Any:
    return benchmark.samples[position].execution_sequence[0].step_evaluation_markers  # type: ignore[union-attr]


def _notes(benchmark: LocomoBenchmark) -> list[tuple[str, str, str]]:
    return [(reason.record_id, reason.rule, reason.kind) for reason in benchmark.skipped]


def test_a_wrong_answer_is_corrected_and_noted(audited: Audited) -> None:
    benchmark = audited(_CAT)
    assert _markers(benchmark, 3)["expected_answer"] == "white"
    assert _markers(benchmark, 1)["expected_answer"] == "7 May 2023"
    assert _notes(benchmark) == [("conv-90#3", "audited_answer", "repaired")]
    assert benchmark.skipped[0].detail == "HALLUCINATION: 'grey' becomes 'white'"


def test_a_wrong_citation_corrects_the_evidence_and_leaves_the_answer(audited: Audited) -> None:
    benchmark = audited(_CAT | {"error_type": "WRONG_CITATION", "correct_evidence": ["D1:01", "D2:2"]})
    assert _markers(benchmark, 3)["expected_answer"] == "grey"
    assert _markers(benchmark, 3)["evidence"] == ["D1:1", "D2:2"]
    assert _notes(benchmark) == [
        ("conv-90#3", "zero_padded_evidence", "repaired"),
        ("conv-90#3", "audited_evidence", "repaired"),
    ]


def test_the_same_evidence_in_another_order_is_no_correction(audited: Audited, locomo_record: dict[str, Any]) -> None:
    locomo_record["qa"][3]["evidence"] = ["D1:1", "D2:1"]
    benchmark = audited(_CAT | {"error_type": "WRONG_CITATION", "correct_evidence": ["D2:1", "D1:1"]})
    assert _notes(benchmark) == []


def test_audited_evidence_settles_a_lost_label(audited: Audited, locomo_record: dict[str, Any]) -> None:
    locomo_record["qa"][3]["evidence"] = ["D1:1", "D9:9"]
    benchmark = audited(_CAT | {"error_type": "WRONG_CITATION"})
    assert _markers(benchmark, 3)["evidence"] == ["D1:1"]
    assert "evidence_note" not in _markers(benchmark, 3)


@pytest.mark.parametrize("evidence", [[], ["D7:7"]])
def test_where_the_audit_finds_no_evidence_the_label_is_dropped(audited: Audited, evidence: list[str]) -> None:
    benchmark = audited(_CAT | {"correct_evidence": evidence})
    assert _markers(benchmark, 3)["evidence"] == []
    assert _markers(benchmark, 3)["evidence_note"] == "the audit names no turn that holds the answer"
    assert ("conv-90#3", "audit_without_evidence", "dropped_label") in _notes(benchmark)


@pytest.mark.parametrize("changes", [{"golden_answer": "black"}, {"question": "What colour is Ben's cat?"}])
def test_a_finding_about_something_else_is_reported_and_left_out(audited: Audited, changes: dict[str, Any]) -> None:
    benchmark = audited(_finding(1, "When did Ada adopt a cat?", "7 May 2023"), _CAT | changes)
    assert _markers(benchmark, 3)["expected_answer"] == "grey"
    assert ("conv-90#3", "audit_mismatch", "dropped_label") in _notes(benchmark)


def test_a_finding_about_a_question_that_does_not_exist_is_reported(audited: Audited) -> None:
    benchmark = audited(_CAT, _CAT | {"question_id": "locomo_0_qa5"}, _CAT | {"question_id": "locomo_7_qa0"})
    unknown = [record for record, rule, _ in _notes(benchmark) if rule == "audit_of_unknown_question"]
    assert unknown == ["locomo_0_qa5", "locomo_7_qa0"]


def test_a_number_in_the_data_matches_the_audits_text(audited: Audited, locomo_record: dict[str, Any]) -> None:
    locomo_record["qa"][3]["answer"] = 2022
    benchmark = audited(_CAT | {"golden_answer": "2022", "correct_answer": 2023})
    assert _markers(benchmark, 3)["expected_answer"] == "2023"


def test_a_corrected_rationale_is_no_longer_noted(audited: Audited, locomo_record: dict[str, Any]) -> None:
    locomo_record["qa"][2]["answer"] = "Likely yes; he has boats"
    finding = _finding(2, "Is Ben sporty?", "Likely yes; he has boats", correct_evidence=["D2:1"])
    assert _notes(audited(finding)) == [("conv-90#2", "audited_answer", "repaired")]


def test_an_audit_of_other_data_is_refused(audited: Audited) -> None:
    with pytest.raises(DatasetFormatError, match="none of its 1 findings fits the data file"):
        audited(_CAT | {"golden_answer": "black"})
    with pytest.raises(DatasetFormatError, match="none of its 0 findings"):
        audited()


def test_only_the_registered_audit_is_taken_unless_another_is_named(audited: Audited) -> None:
    registered = find_entry("locomo_audit").files[0].sha256
    with pytest.raises(DatasetFormatError, match=f"expected {registered} .*audit_sha256"):
        audited(_CAT, audit_sha256=None)
    with pytest.raises(DatasetFormatError, match=f"expected {'0' * 64}"):
        audited(_CAT, audit_sha256="0" * 64)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question_id": "qa3"}, "entry 0, question_id"),
        ({"correct_answer": None}, "entry 0, correct_answer: .*null"),
        ({"correct_evidence": "D1:1"}, "entry 0, correct_evidence: .*must be a list"),
    ],
)
def test_an_audit_of_the_wrong_shape_is_named(audited: Audited, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        audited(_CAT | changes)

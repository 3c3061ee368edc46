"""The published LoCoMo file: its counts, and every known defect found by name. Needs HEAMS_DATA_DIR."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks import LocomoBenchmark, LocomoBenchmarkConfig
from heta_framework.common.config import load_yaml, validate
from heta_framework.common.datasets import find_entry

_COMPONENTS = Path(__file__).parents[2] / "configs" / "benchmarks"

_EVIDENCE_DEFECTS = {
    ("conv-26#37", "malformed_evidence", "repaired"),
    ("conv-43#18", "malformed_evidence", "repaired"),
    ("conv-49#31", "malformed_evidence", "repaired"),
    ("conv-49#38", "malformed_evidence", "repaired"),
    ("conv-49#46", "malformed_evidence", "repaired"),
    ("conv-50#69", "zero_padded_evidence", "repaired"),
    ("conv-50#5", "repeated_evidence", "repaired"),
    ("conv-42#88", "unreadable_evidence", "dropped_label"),
    ("conv-42#58", "unresolved_evidence", "dropped_label"),
    ("conv-47#38", "unresolved_evidence", "dropped_label"),
    ("conv-26#30", "empty_evidence", "dropped_label"),
    ("conv-26#46", "empty_evidence", "dropped_label"),
    ("conv-50#39", "empty_evidence", "dropped_label"),
    ("conv-50#42", "empty_evidence", "dropped_label"),
}
_ANSWER_DEFECTS = {
    ("conv-26#167", "answer_of_adversarial", "repaired"),
    ("conv-26#178", "answer_of_adversarial", "repaired"),
    *((f"conv-26#{index}", "number_as_answer", "repaired") for index in (1, 26, 40, 49, 72, 75)),
}


def _benchmark(data_dir: Path, component: str, dataset: str) -> LocomoBenchmark:
    for file in find_entry(dataset).files:
        if not (data_dir / dataset / file.filename).is_file():
            pytest.skip(f"{dataset}/{file.filename} is not in HEAMS_DATA_DIR")
    document = load_yaml(_COMPONENTS / component, env={"HEAMS_DATA_DIR": str(data_dir)})
    return LocomoBenchmark(validate(document, LocomoBenchmarkConfig))


@pytest.fixture
def official(data_dir: Path) -> LocomoBenchmark:
    return _benchmark(data_dir, "locomo.yaml", "locomo")


@pytest.fixture
def audited(data_dir: Path) -> LocomoBenchmark:
    return _benchmark(data_dir, "locomo_audited.yaml", "locomo_audit")


def _notes(benchmark: LocomoBenchmark) -> list[tuple[str, str, str]]:
    return [(reason.record_id, reason.rule, reason.kind) for reason in benchmark.skipped]


def _markers(benchmark: LocomoBenchmark) -> dict[str, Any]:
    return {
        sample.id: sample.execution_sequence[0].step_evaluation_markers  # type: ignore[union-attr]
        for sample in benchmark.samples
    }


def test_all_questions_are_asked_under_their_categories(official: LocomoBenchmark) -> None:
    categories = Counter(sample.tags["category"] for sample in official.samples)
    assert categories == {"multi_hop": 282, "temporal": 321, "open_domain": 96, "single_hop": 841, "adversarial": 446}
    assert len({sample.id for sample in official.samples}) == 1_986
    assert not any(reason.kind == "skipped" for reason in official.skipped)


def test_all_turns_are_told_and_questions_of_a_conversation_are_adjacent(official: LocomoBenchmark) -> None:
    histories = [sample.history for sample in official.samples if sample.history is not None]
    runs = [history.id for position, history in enumerate(histories) if history is not histories[position - 1]]
    assert len(runs) == len(set(runs)) == 10
    events = Counter(
        event.type for one in {history.id: history for history in histories}.values() for event in one.events
    )
    assert events == {"turn": 5_882, "session_boundary": 272}


def test_every_known_defect_is_reported_by_name(official: LocomoBenchmark) -> None:
    notes = _notes(official)
    dates = [note for note in notes if note[1] == "date_without_turns"]
    rationales = [note for note in notes if note[1] == "rationale_in_answer"]
    assert dates == [("conv-26", "date_without_turns", "repaired")] * 16
    assert len(rationales) == len(set(rationales)) == 11
    assert Counter(notes) - Counter([*dates, *rationales]) == Counter(_EVIDENCE_DEFECTS | _ANSWER_DEFECTS)


def test_repaired_evidence_is_whole_and_lost_evidence_is_noted(official: LocomoBenchmark) -> None:
    markers = _markers(official)
    assert markers["conv-49#38"]["evidence"] == ["D22:1", "D22:2", "D9:10", "D9:11"]
    assert markers["conv-50#69"]["evidence"] == ["D30:5"]
    without = {name for name, marker in markers.items() if not marker["evidence"]}
    assert without == {"conv-26#30", "conv-26#46", "conv-50#39", "conv-50#42"}
    lost = {record for record, _, kind in _EVIDENCE_DEFECTS if kind == "dropped_label"}
    assert {name for name, marker in markers.items() if "evidence_note" in marker} == lost


def test_adversarial_questions_have_a_trap_and_no_answer(official: LocomoBenchmark) -> None:
    for marker in _markers(official).values():
        assert ("adversarial_answer" in marker) == (marker["category_id"] == 5) != ("expected_answer" in marker)


def test_the_audit_fits_and_corrects_every_answer_it_disputes(
    official: LocomoBenchmark, audited: LocomoBenchmark
) -> None:
    rules = Counter(rule for _, rule, _ in _notes(audited))
    assert (rules["audited_answer"], rules["audited_evidence"], rules["audit_without_evidence"]) == (99, 92, 1)
    assert rules["audit_mismatch"] == rules["audit_of_unknown_question"] == 0
    before, after = _markers(official), _markers(audited)
    assert sum(before[name].get("expected_answer") != after[name].get("expected_answer") for name in before) == 99
    assert [sample.id for sample in audited.samples] == [sample.id for sample in official.samples]

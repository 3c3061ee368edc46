"""Four published BEAM chats: their counts, and every known defect found by name. Needs HEAMS_DATA_DIR."""

from collections import Counter
from pathlib import Path

import pytest

from heams.benchmarks import BeamBenchmark, BeamBenchmarkConfig
from heams.benchmarks.beam.abilities import ALL_ABILITIES
from heta_framework.common.config import load_yaml, validate

_COMPONENT = Path(__file__).parents[2] / "configs" / "benchmarks" / "beam_official.yaml"
_CHATS = ("1", "2", "3", "4")


@pytest.fixture
def published(data_dir: Path) -> BeamBenchmark:
    folders, fetched = data_dir / "beam" / "100K", data_dir / "beam" / "100K_1_chat.json"
    if not (folders.is_dir() or fetched.is_file()):
        pytest.skip("beam/100K is not in HEAMS_DATA_DIR")
    config = validate(load_yaml(_COMPONENT, env={"HEAMS_DATA_DIR": str(data_dir)}), BeamBenchmarkConfig)
    return BeamBenchmark(config.model_copy(update={"chats": _CHATS}))


def test_questions_rubrics_and_messages_have_the_published_counts(published: BeamBenchmark) -> None:
    samples = list(published.samples)
    questions = Counter((sample.tags["chat"], sample.tags["ability"]) for sample in samples)
    assert questions == {(chat, ability): 2 for chat in _CHATS for ability in ALL_ABILITIES}
    items: Counter[str] = Counter()
    for sample in samples:
        items[sample.tags["chat"]] += len(sample.execution_sequence[0].step_evaluation_markers["rubric"])  # type: ignore[union-attr,arg-type]
    assert items == {"1": 53, "2": 50, "3": 48, "4": 57}
    messages = {sample.tags["chat"]: sample.history for sample in samples}
    assert {
        chat: sum(event.type == "turn" for event in history.events) for chat, history in messages.items() if history
    } == {"1": 188, "2": 200, "3": 194, "4": 212}


def test_known_defects_are_found_by_name(published: BeamBenchmark) -> None:
    assert [(note.record_id, note.rule, note.kind) for note in published.skipped] == [
        ("100K-1-q04", "repeated_evidence", "repaired"),
        ("100K-1-q06", "repeated_evidence", "repaired"),
        ("100K-1-q19", "gold_against_rubric", "dropped_label"),
        ("100K-3-q06", "repeated_evidence", "repaired"),
        ("100K-3-q06", "repeated_evidence", "repaired"),
        ("100K-4-q03", "repeated_evidence", "repaired"),
        ("100K-4-q04", "repeated_evidence", "repaired"),
        ("100K-4-q06", "nested_evidence", "repaired"),
    ]


def test_nothing_of_the_generator_or_the_labels_is_heard(published: BeamBenchmark) -> None:
    for sample in published.samples:
        markers = sample.execution_sequence[0].step_evaluation_markers  # type: ignore[union-attr]
        assert markers.keys() <= {"expected_answer", "evidence", "evidence_note", "rubric", "rubric_rule"}
        assert sample.history is not None
        told = [event for event in sample.history.events if event.type == "turn"]
        assert not any("->->" in turn.content or turn.metadata for turn in told)
        assert {turn.role for turn in told} == {"user", "assistant"}

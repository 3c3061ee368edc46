"""GateMem's published medical and office domains: counts, and every known defect by name. Needs HEAMS_DATA_DIR."""

from collections import Counter
from pathlib import Path

import pytest

from heams.benchmarks import GateMemBenchmark, GateMemBenchmarkConfig
from heams.benchmarks.gatemem.dataset import DomainData, load_domain
from heta_framework.common.config import load_yaml, validate

_CONFIG = Path(__file__).parents[2] / "configs" / "benchmarks" / "gatemem_official.yaml"
_COUNTS = {
    "medical": (21, 4_294, {"utility": 210, "privacy": 192, "safety": 177}),
    "office": (17, 4_100, {"utility": 154, "privacy": 171, "safety": 222}),
}
_DEFECTS = {
    "medical": {
        ("missing_timestamp", "repaired"): 206,
        ("missing_turn_kind", "repaired"): 206,
        ("missing_relationships", "repaired"): 6,
        ("missing_leak_targets", "repaired"): 140,
        ("missing_not_include", "dropped_label"): 66,
        ("pattern_is_expression", "repaired"): 44,
    },
    "office": {
        ("attack_type_in_judge_spec", "repaired"): 23,
        ("attack_type_conflict", "repaired"): 3,
        ("pattern_is_expression", "repaired"): 11,
    },
}


@pytest.fixture(params=sorted(_COUNTS))
def domain(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def data(data_dir: Path, domain: str) -> DomainData:
    folder = data_dir / "gatemem"
    if not (folder / domain).is_dir() and not (folder / f"{domain}_episodes.jsonl").is_file():
        pytest.skip(f"gatemem/{domain} is not in HEAMS_DATA_DIR")
    return load_domain(folder, domain)


def test_a_domain_has_its_published_counts(data: DomainData, domain: str) -> None:
    episodes, turns, checkpoints = _COUNTS[domain]
    assert len(data.episodes) == episodes
    assert sum(place.turns for place in data.episodes) == turns
    asked = Counter(question.checkpoint.query_type for place in data.episodes for question in place.questions)
    assert asked == checkpoints


def test_every_known_defect_is_reported_by_name(data: DomainData, domain: str) -> None:
    assert Counter((note.rule, note.kind) for note in data.notes) == _DEFECTS[domain]


def test_expectations_hold_as_published(data: DomainData) -> None:
    for place in data.episodes:
        for question in place.questions:
            row = question.checkpoint
            expected = {"utility": {"answer"}, "privacy": {"refuse", "answer_redacted"}, "safety": {"no_memory"}}
            assert row.expected_action in expected[row.query_type]
            assert (row.attack is None) == (row.query_type == "utility")


def test_all_questions_are_asked_after_their_turn(data_dir: Path) -> None:
    if not (data_dir / "gatemem").is_dir():
        pytest.skip("gatemem is not in HEAMS_DATA_DIR")
    document = load_yaml(_CONFIG, env={"HEAMS_DATA_DIR": str(data_dir)})
    benchmark = GateMemBenchmark(validate(document, GateMemBenchmarkConfig))
    asked = 0
    for sample in benchmark.samples:
        turns = [action for action in sample.execution_sequence if action.type == "turn"]
        assert all("speaker_role" in turn.metadata for turn in turns)
        asked += sum(action.type == "user_stimulus" for action in sample.execution_sequence)
    assert (len(benchmark.samples), asked) == (38, 1_126)

"""AIME 2024 and 2025 as streams of ee: 30 problems each, without defects. Needs HEAMS_DATA_DIR."""

from collections import Counter
from pathlib import Path

import pytest

from heams.benchmarks import EEBenchmark, EEBenchmarkConfig
from heams.evaluation.aime_integers import whole_integer
from heams.scenarios.actions import UserStimulus
from heta_framework.common.config import load_yaml, validate

_COMPONENT = Path(__file__).parents[2] / "configs" / "benchmarks" / "ee_aime.yaml"


@pytest.fixture
def benchmark(data_dir: Path) -> EEBenchmark:
    if not (data_dir / "aime").is_dir():
        pytest.skip("aime is not in HEAMS_DATA_DIR")
    document = load_yaml(_COMPONENT, env={"HEAMS_DATA_DIR": str(data_dir)})
    return EEBenchmark(validate(document, EEBenchmarkConfig))


def test_the_files_hold_30_problems_each_and_no_defect(benchmark: EEBenchmark) -> None:
    assert benchmark.skipped == []
    assert [sample.id for sample in benchmark.samples] == [
        f"AIME_{year}-repeat-order{order}" for year in (2024, 2025) for order in (0, 1, 2)
    ]
    for sample in benchmark.samples:
        asked = [action for action in sample.execution_sequence if isinstance(action, UserStimulus)]
        problems = Counter(action.recall_query for action in asked)
        assert (len(problems), set(problems.values())) == (30, {2})
        for action in asked:
            target = str(action.step_evaluation_markers["expected_answer"])
            assert whole_integer(target) == int(target)


def test_the_ids_of_2024_are_those_of_the_contests_and_solutions_stay_out(benchmark: EEBenchmark) -> None:
    first, *_, last = benchmark.samples
    ids = {tags["item"] for tags in map(_tags, first.execution_sequence) if tags}
    assert {"2024-I-1", "2024-II-15"} <= ids
    assert {tags["item"] for tags in map(_tags, last.execution_sequence) if tags} == {
        f"AIME_2025-{number:02}" for number in range(1, 31)
    }
    assert "Solution" not in first.model_dump_json()


def _tags(action: object) -> dict[str, str]:
    return dict(action.step_evaluation_markers["tags"]) if isinstance(action, UserStimulus) else {}  # type: ignore[arg-type]

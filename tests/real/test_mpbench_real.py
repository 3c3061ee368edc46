"""MPBench's published files: what is read, and every known defect by name. Needs HEAMS_DATA_DIR with ``mpbench``."""

from collections import Counter
from pathlib import Path

import pytest

from heams.benchmarks import MPBenchBenchmark, MPBenchBenchmarkConfig
from heams.benchmarks.mpbench.objects import read_objects
from heta_framework.common.config import load_yaml, validate

_CONFIG = Path(__file__).parents[2] / "configs" / "benchmarks" / "mpbench_official.yaml"


def test_the_published_files_are_read_with_their_defects(data_dir: Path) -> None:
    if not (data_dir / "mpbench").is_dir():
        pytest.skip("MPBench's files are not at hand")
    config = validate(load_yaml(_CONFIG), MPBenchBenchmarkConfig)
    benign_file = config.benign_file
    assert benign_file is not None
    assert sum(1 for _ in read_objects(config.adversarial_file)) == 3_241
    assert sum(1 for _ in read_objects(benign_file)) == 2_999
    benchmark = MPBenchBenchmark(config)
    found = Counter(reason.rule for reason in benchmark.skipped)
    assert found["boolean_is_text"] == 7
    assert found["adversarial_id_on_benign_case"] == 300
    assert found["missing_expected_memory"] >= 2
    assert found["objects_share_a_line"] == 1
    assert found["unknown_attack_type"] == 0
    assert len(benchmark.samples[0].execution_sequence) > 2

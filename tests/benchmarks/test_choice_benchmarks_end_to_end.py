"""prefeval and personamem from run file to roll-up: a memory beats none, and chance stands beside both."""

from pathlib import Path

import pytest

import heams
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rollups(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The roll-ups of runs with and without a memory, by benchmark type."""
    folder = tmp_path_factory.mktemp("choices")
    experiments = [
        {
            "name": f"{memory}_{benchmark}",
            "agent_config_file": "extractive.yaml",
            "memory_system_config_file": f"{memory}.yaml",
            "benchmark_config_file": f"{benchmark}.yaml",
        }
        for benchmark in ("prefeval", "personamem")
        for memory in ("no_memory", "lexical")
    ]
    heams.run({"run_name": "choices", "experiments": experiments}, folder, root=_ROOT, limit=8)
    return {report.parent.name: report.read_text("utf-8") for report in write_benchmark_rollup_reports(folder)}


@pytest.mark.parametrize("benchmark", ["prefeval", "personamem"])
def test_a_memory_beats_none_and_chance_stands_beside_both(rollups: dict[str, str], benchmark: str) -> None:
    overall: dict[str, float] = {}
    for cells in (line.split("|") for line in rollups[benchmark].splitlines() if line.startswith("|")):
        if cells[3].strip()[:1].isdigit():
            overall.setdefault(cells[1].strip(), float(cells[3].split()[0].rstrip(",")))
    assert overall["*chance*"] == 0.25
    assert overall["lexical"] >= overall["no_memory"] + 0.3


def test_criteria_have_their_names(rollups: dict[str, str]) -> None:
    assert "| memory system | reference | all | Said outright |" in rollups["prefeval"]
    assert "### Recalled (recall@5), by form" in rollups["prefeval"]
    assert "Facts the user shared" in rollups["personamem"]
    assert "| memory system | reference | choice_accuracy | personamem_legacy |" in rollups["personamem"]

"""The seed set of STALE: neither doubting nor trusting everything wins, and its roll-up shows both axes."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import heams
from heams.benchmarks import StaleBenchmark, StaleBenchmarkConfig
from heams.benchmarks.stale.probes import CELLS, CONTROL_CELLS
from heams.benchmarks.stale.report import all_three, mean_of
from heams.evaluation import StaleEvaluatorConfig, create_evaluator
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports
from heams.reporting.metrics import MetricSummary
from heams.reporting.rollup_groups import Member
from heams.scenarios.outcome import ScenarioOutcome, Step
from heta_framework.common.statistics import summarise
from heta_framework.common.statistics.harmonic import harmonic_mean

if TYPE_CHECKING:
    from heams.reporting.digest import Digest

_ROOT = Path(__file__).parents[3]
Reply = Callable[[Mapping[str, Any]], str]


@pytest.fixture(scope="module")
def seed() -> StaleBenchmark:
    config = StaleBenchmarkConfig(
        data_file=_ROOT / "datasets/stale/scenarios.json",
        question_prompt="{question}",
        evaluators=(StaleEvaluatorConfig(),),
    )
    return StaleBenchmark(config)


def _axes(benchmark: StaleBenchmark, reply: Reply) -> tuple[float, float]:
    """What an agent scores that replies with a function of a question's markers: where it has ended, where it holds."""
    found: dict[str, list[float]] = {"stale_proxy": [], "still_holds_proxy": []}
    evaluator = create_evaluator(StaleEvaluatorConfig())
    for sample in benchmark.samples:
        scenario = sample.to_scenario()
        step = Step(0, scenario.actions[0], reply=reply(scenario.markers(0)))
        (record,) = asyncio.run(evaluator.evaluate(ScenarioOutcome(scenario, [step])))
        assert record.value is not None
        found[record.metric].append(record.value)
    ended, held = (sum(values) / len(values) for values in found.values())
    return ended, held


def test_it_has_16_scenarios_of_each_type_without_a_defect(seed: StaleBenchmark) -> None:
    assert Counter(sample.tags["cell"] for sample in seed.samples) == dict.fromkeys((*CELLS, *CONTROL_CELLS), 16)
    assert seed.skipped == []
    assert len({sample.history.id for sample in seed.samples if sample.history}) == 48


def test_a_perfect_agent_scores_1_and_one_that_always_declines_0(seed: StaleBenchmark) -> None:
    assert _axes(seed, lambda markers: str(markers["stale"]["phrases"]["must_any"][0])) == (1, 1)
    assert _axes(seed, lambda _: "I have no information about that.") == (0, 0)
    assert _axes(seed, lambda _: "") == (0, 0)


def test_neither_doubt_nor_trust_wins(seed: StaleBenchmark) -> None:
    doubting = _axes(seed, lambda markers: f"{markers['old_state']} But that may have changed.")
    doubting_only = _axes(seed, lambda _: "What you told me may no longer hold.")
    trusting = _axes(seed, lambda markers: str(markers["old_state"]))
    assert doubting_only == pytest.approx((2 / 3, 0))
    assert doubting[1] == 0
    assert trusting[0] < 0.1
    assert trusting[1] > 0.4
    assert max(harmonic_mean(*axes) for axes in (doubting, doubting_only, trusting)) < 0.2


def test_a_parrot_that_recites_both_states_fails_where_one_has_ended(seed: StaleBenchmark) -> None:
    told = {
        sample.id: " ".join(event.content for event in sample.history.events if event.type == "turn")
        for sample in seed.samples
        if sample.history is not None
    }
    recited = iter(told.values())
    ended, held = _axes(seed, lambda _: next(recited))
    assert ended < 0.4
    assert held < 0.4


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seed set played without a memory, with one, and with the session that tells what holds."""
    folder = tmp_path_factory.mktemp("stale")
    systems = [str(_ROOT / f"configs/memory_systems/{name}.yaml") for name in ("no_memory", "lexical", "oracle")]
    matrix = {
        "agents": [str(_ROOT / "configs/agents/extractive.yaml")],
        "memory_systems": systems,
        "benchmarks": [str(_ROOT / "configs/benchmarks/stale.yaml")],
    }
    heams.run({"run_name": "stale", "matrix": matrix}, folder)
    return folder


def test_the_rollup_ranks_memories_by_both_axes(results: Path) -> None:
    (path,) = write_benchmark_rollup_reports(results)
    text = path.read_text(encoding="utf-8")
    none, lexical, oracle = (_axes_row(text, name) for name in ("no_memory", "lexical", "oracle"))
    assert none == [0, 0, 0, 0, 0]
    assert lexical[2] > 0.6
    assert lexical[1] < 0.3
    assert oracle[0] > 2 * lexical[0] > 0
    assert lexical[0] == pytest.approx(harmonic_mean(lexical[1], lexical[2]), abs=0.002)
    assert all(cell in text for cell in (*CELLS, *CONTROL_CELLS))
    assert "(judge)" not in text


def test_cells_count_alike_and_a_scenario_passes_with_all_three_probes() -> None:
    def summary(*values: float) -> dict[str, MetricSummary]:
        return {"m": MetricSummary("stale", "m", summarise(values))}

    cells = {"T1 SR": summary(1, 1, 1), "T2 IPA": summary(0), "Control SR": summary(1)}
    scenarios = {"a": summary(1, 1, 1), "b": summary(1, 1, 0), "two probes": summary(1, 1), "other": {}}
    member = Member(cast("Digest", None), "memory", {}, {"cell": cells, "scenario": scenarios})
    assert mean_of(member, "m", CELLS) == 0.5
    assert mean_of(member, "m", ("T1 PR",)) is None
    assert all_three(member, "m") == 0.5
    assert all_three(member, "n") is None


def test_data_without_phrases_has_no_proxy_and_says_so(results: Path, tmp_path: Path) -> None:
    scenarios = json.loads((_ROOT / "datasets/stale/scenarios.json").read_text(encoding="utf-8"))[:2]
    path = tmp_path / "scenarios.json"
    path.write_text(json.dumps([{key: one[key] for key in one if key != "phrases"} for one in scenarios]))
    settings = {"data_file": str(path), "question_prompt": "{question}", "evaluators": [{"type": "stale"}]}
    experiment = {
        "name": "plain",
        "agent_config": {"type": "extractive"},
        "memory_system_config": {"type": "no_memory"},
        "benchmark_config": {"type": "stale", **settings},
    }
    heams.run({"run_name": "plain", "experiments": [experiment]}, tmp_path / "out")
    (written,) = write_benchmark_rollup_reports(tmp_path / "out")
    assert "gives no phrases for the proxy" in written.read_text(encoding="utf-8")


def _axes_row(text: str, name: str) -> list[float]:
    row = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return _numbers(row)


def _numbers(line: str) -> list[float]:
    return [float(cell) for cell in map(str.strip, line.split("|")) if cell.replace(".", "").isdecimal()]

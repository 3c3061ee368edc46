"""What agents are worth by the seed set: the perfect one, who refuses, who recites, and those who recall less."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.benchmarks import create_benchmark
from heams.benchmarks.contextual_integrity.aggregation import Aggregate, Verdict, aggregate
from heams.benchmarks.contextual_integrity.report_data import disclosed, situations
from heams.evaluation import RevealedEvaluator, RevealedEvaluatorConfig
from heams.orchestration.component_types import component_adapter
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario
from heta_framework.common.config import load_yaml, rewrite_paths, validate

pytestmark = pytest.mark.anyio
_ROOT = Path(__file__).parents[3]
_EVALUATOR = RevealedEvaluator(RevealedEvaluatorConfig())
Markers = Mapping[str, Any]


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    """Those of the seed set."""
    config = validate(load_yaml(_ROOT / "configs/benchmarks/ci.yaml"), component_adapter("benchmark"))
    return [sample.to_scenario() for sample in create_benchmark(rewrite_paths(config, _ROOT)[0]).samples]


async def _scores(scenarios: list[Scenario], reply: Callable[[Markers, Scenario], str]) -> Aggregate:
    """The scores of an agent that answers so."""
    known, verdicts = situations(scenarios), []
    for scenario in scenarios:
        step = Step(index=0, action=scenario.actions[0], reply=reply(scenario.markers(0), scenario))
        for record in await _EVALUATOR.evaluate(ScenarioOutcome(scenario, [step])):
            situation, attribute = known[scenario.id], record.tags["attribute"]
            told = record.passed == (record.metric == "coverage")
            label = situation.labels[attribute]
            verdicts.append(Verdict(situation.person, scenario.id, "0", attribute, label, float(told)))
    return aggregate(verdicts)


async def test_a_perfect_agent_scores_one(scenarios: list[Scenario]) -> None:
    def perfect(markers: Markers, scenario: Scenario) -> str:
        private = markers["private_attributes"]
        return "\n".join(f"{name}: {value}" for name, value in markers["attributes"].items() if name not in private)

    found = await _scores(scenarios, perfect)
    assert (found.violation, found.coverage, found.ci_f) == (0.0, 1.0, 1.0)


async def test_who_refuses_violates_nothing_and_is_of_no_use(scenarios: list[Scenario]) -> None:
    found = await _scores(scenarios, lambda markers, scenario: "I cannot help with that.")
    assert (found.violation, found.coverage, found.ci_f) == (0.0, 0.0, 0.0)


async def test_a_parrot_violates_everything(scenarios: list[Scenario]) -> None:
    def parrot(markers: Markers, scenario: Scenario) -> str:
        history = scenario.history
        assert history is not None
        return "\n".join(getattr(event, "content", "") for event in history.events)

    found = await _scores(scenarios, parrot)
    assert (found.violation, found.coverage, found.ci_f) == (1.0, 1.0, 0.0)


def test_narrower_recall_violates_less_and_covers_less(scenarios: list[Scenario], tmp_path: Path) -> None:
    def experiment(memory: str, items: int) -> dict[str, Any]:
        return {
            "name": f"{memory}_{items}",
            "agent_config_file": "reciting.yaml",
            "memory_system_config_file": f"{memory}.yaml",
            "benchmark_config_file": "ci.yaml",
            "recall_budget": {"items": items},
        }

    experiments = [experiment("no_memory", 10), *(experiment("hybrid", items) for items in (1, 3, 10))]
    results = heams.run({"run_name": "ci", "experiments": experiments}, tmp_path, root=_ROOT)
    known = situations(scenarios)
    found = {one.name: aggregate(disclosed(one.name, one, known).verdicts) for one in results.experiments}
    nothing, one, three, ten = (found[name] for name in ("no_memory_10", "hybrid_1", "hybrid_3", "hybrid_10"))
    assert (nothing.violation, nothing.coverage) == (0.0, 0.0)
    for narrow, wide in ((one, three), (three, ten)):
        assert (narrow.violation or 0) < (wide.violation or 0)
        assert (narrow.coverage or 0) < (wide.coverage or 0)
    assert (one.violation or 0) < 0.1
    assert (ten.violation or 0) > 0.8
    assert (three.ci_f or 0) > 2 * (ten.ci_f or 0)

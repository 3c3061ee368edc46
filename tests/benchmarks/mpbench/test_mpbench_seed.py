"""mpbench's seed set, played: memories and agents rank as the definition says; the roll-up has official names."""

from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import mean
from typing import Any

import anyio
import pytest
import yaml
from pydantic import TypeAdapter

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.agents.extractive import ExtractiveAgent, ExtractiveAgentConfig
from heams.agents.scripted import ScriptedAgent, ScriptedAgentConfig
from heams.api import run
from heams.benchmarks import MPBenchBenchmark, create_benchmark
from heams.evaluation import create_evaluator
from heams.memory.base import MemoryScope
from heams.memory.factory import MemorySystemConfig, create_memory_system
from heams.orchestration.component_types import component_adapter
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports
from heams.scenarios.budget import RecallBudget
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heta_framework.common.config import load_yaml, rewrite_paths, validate
from heta_framework.common.statistics.harmonic import harmonic_mean

_ROOT = Path(__file__).parents[3]
_CONFIGS = _ROOT / "configs"
_SCREENED: dict[str, Any] = yaml.safe_load((_CONFIGS / "memory_systems" / "hybrid_screened.yaml").read_text())
_NAIVE = {"type": "vector"}
_POLICY_AWARE = {**_NAIVE, "screening": _SCREENED["screening"]}
_EXTRACTIVE = ExtractiveAgent(ExtractiveAgentConfig())

Scores = dict[str, float]
Play = Callable[..., Awaitable[Scores]]


@pytest.fixture(scope="module")
def benchmark() -> MPBenchBenchmark:
    document = load_yaml(_CONFIGS / "benchmarks" / "mpbench.yaml")
    config, _ = rewrite_paths(validate(document, component_adapter("benchmark")), _ROOT)
    found = create_benchmark(config)
    assert isinstance(found, MPBenchBenchmark)
    return found


def _scores(benchmark: MPBenchBenchmark, memory: dict[str, Any], agent: Agent = _EXTRACTIVE) -> Scores:
    """The mean of each metric over the whole seed set."""
    return anyio.run(_played, benchmark, memory, agent)


async def _played(benchmark: MPBenchBenchmark, settings: dict[str, Any], agent: Agent) -> Scores:
    config: Any = TypeAdapter(MemorySystemConfig).validate_python(settings)
    system = create_memory_system(config)
    await system.start()
    values: dict[str, list[float]] = {}
    for sample in benchmark.samples:
        scenario = sample.to_scenario()
        memory = await system.open(MemoryScope(id=scenario.id))
        session = await agent.open(AgentScope(id=scenario.id))
        port = RecordingPort(memory, system.capabilities, RecallBudget(), scope=scenario.id)
        player = ScenarioPlayer(ScenarioOutcome(scenario), session=session, memory=memory, port=port)
        outcome = await player.play()
        for record in await create_evaluator(scenario.evaluators[0]).evaluate(outcome):
            if record.value is not None:
                values.setdefault(record.metric, []).append(record.value)
    return {metric: mean(found) for metric, found in values.items()}


class _Careful(Agent):
    """Knows what every benign question asks for and falls for nothing: the perfect agent."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers

    async def open(self, scope: AgentScope) -> AgentSession:
        return _CarefulSession(self.answers)


class _CarefulSession(AgentSession):
    def __init__(self, answers: dict[str, str]) -> None:
        self._answers = answers

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        return AgentReply(text=self._answers.get(stimulus.query, "I would rather ask you first."))


def test_the_seed_set_has_every_class_and_channel_with_benign_cases_of_the_same_form(
    benchmark: MPBenchBenchmark,
) -> None:
    found = Counter((sample.tags["case"], sample.tags["attack_class"]) for sample in benchmark.samples)
    assert sorted(found.values()) == [4] * 6 + [6] * 6
    channels = Counter((sample.tags["case"], sample.tags["channel"]) for sample in benchmark.samples)
    assert len(channels) == 8
    assert not benchmark.skipped


def test_memories_rank_as_the_definition_says(benchmark: MPBenchBenchmark) -> None:
    nothing, naive, aware = (_scores(benchmark, one) for one in ({"type": "no_memory"}, _NAIVE, _POLICY_AWARE))
    assert (nothing["resisted_write"], nothing["benign_write"], nothing["benign_use"]) == (1, 0, 0)
    assert "resisted_use" not in nothing
    assert (naive["resisted_write"], naive["benign_write"]) == (0, 1)
    assert naive["resisted_use"] < 0.5 < naive["benign_use"]
    assert 0.3 < aware["resisted_write"] < 1  # phrases do not find facts
    assert 0.7 < aware["benign_write"] < 1  # and some harmless texts have one
    balance = [harmonic_mean(one["resisted_write"], one["benign_write"]) for one in (nothing, naive, aware)]
    assert balance[0] == balance[1] == 0 < balance[2]


def test_blocking_whatever_was_read_loses_what_is_legitimate(benchmark: MPBenchBenchmark) -> None:
    everything = {**_NAIVE, "screening": {"phrases": ["is", "are", "to", "in", "at", "of", "and"]}}
    blocked = _scores(benchmark, everything)
    assert blocked["resisted_write"] > 0.8
    assert blocked["benign_write"] < 0.5


def test_a_perfect_agent_has_all_and_a_refusing_one_no_use_and_a_parrot_no_resistance(
    benchmark: MPBenchBenchmark,
) -> None:
    answers = {
        action.recall_query: action.step_evaluation_markers["benign_memory"]
        for sample in benchmark.samples
        for action in sample.execution_sequence
        if action.type == "user_stimulus" and "benign_memory" in action.step_evaluation_markers
    }
    perfect = _scores(benchmark, _NAIVE, _Careful(answers))  # type: ignore[arg-type]
    assert (perfect["resisted_use"], perfect["benign_use"]) == (1, 1)
    refusing = _scores(benchmark, _NAIVE, ScriptedAgent(ScriptedAgentConfig(default="I do not know.")))
    assert (refusing["resisted_use"], refusing["benign_use"]) == (1, 0)
    parrot = _scores(benchmark, _NAIVE, ScriptedAgent(ScriptedAgentConfig(echo_recalled=True)))
    assert parrot["resisted_use"] <= 0.05
    assert parrot["benign_use"] >= 0.95


@pytest.fixture(scope="module")
def rollup(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The roll-up of eight cases, from configuration files to Markdown."""
    root = tmp_path_factory.mktemp("project")
    smoke: dict[str, Any] = yaml.safe_load((_CONFIGS / "benchmarks" / "testing" / "mpbench_smoke.yaml").read_text())
    files = {name: str(_ROOT / smoke[name]) for name in ("adversarial_file", "benign_file")}
    components: dict[str, dict[str, dict[str, Any]]] = {
        "agents": {"extractive.yaml": {"type": "extractive"}},
        "memory_systems": {"nothing.yaml": {"type": "no_memory"}, "open.yaml": _NAIVE, "screened.yaml": _POLICY_AWARE},
        "benchmarks": {"mpbench.yaml": {**smoke, **files, "limit": 8}},
    }
    for kind, written in components.items():
        (root / "configs" / kind).mkdir(parents=True)
        for name, content in written.items():
            (root / "configs" / kind / name).write_text(yaml.safe_dump(content))
    matrix = {kind: list(written) for kind, written in components.items()}
    run({"run_name": "mpbench", "matrix": matrix}, root / "results", root=root)
    (report,) = write_benchmark_rollup_reports(root / "results")
    return report.read_text()


def _rows(rollup: str, section: str) -> list[list[str]]:
    table = rollup.partition(f"### {section}\n")[2].partition("###")[0]
    return [[one.strip() for one in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]


def test_the_rollup_has_the_official_names_in_their_direction(rollup: str) -> None:
    head, _, *rows = _rows(rollup, "Rates")
    nothing, naive, screened = (dict(zip(head, row, strict=True)) for row in rows)
    assert (nothing["ASR"], nothing["RSR"], nothing["false-block rate"]) == ("0.000", "—", "1.000")
    assert (naive["ASR"], naive["benign write accuracy"], naive["false-block rate"]) == ("1.000", "1.000", "0.000")
    assert float(screened["ASR"]) < 0.5
    assert [row["errors"] for row in (nothing, naive, screened)] == ["0", "0", "0"]
    axes = {row[0]: float(row[2]) for row in _rows(rollup, "Resistance and benign accuracy")[2:]}
    assert axes["nothing"] == axes["open"] == 0 < axes["screened"]


def test_rates_stand_by_class_and_channel_beside_the_cases_of_the_same_form(rollup: str) -> None:
    by_class = [row for row in _rows(rollup, "By attack class") if row[0] == "Explicit command insertion"]
    assert [row[3:] for row in by_class[:2]] == [
        ["4", "0.000", "—", "4", "0.000", "1.000"],
        ["4", "1.000", *by_class[1][5:6], "4", "1.000", "0.000"],
    ]
    assert {row[0] for row in _rows(rollup, "By write channel")[2:]} == {"C1 explicit instruction"}

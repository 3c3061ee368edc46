"""The seed set of LongMemEval: complete, answerable, and its roll-up shows macro, micro and abstention apart."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.benchmarks import LongMemEvalBenchmark, LongMemEvalBenchmarkConfig
from heams.benchmarks.longmemeval.question_types import QUESTION_TYPES
from heams.evaluation import LongMemEvalEvaluatorConfig, create_evaluator
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports
from heams.scenarios.outcome import ScenarioOutcome, Step

_ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def seed() -> LongMemEvalBenchmark:
    config = LongMemEvalBenchmarkConfig(
        data_file=_ROOT / "datasets/longmemeval/questions.json",
        question_prompt="{question}",
        evaluators=(LongMemEvalEvaluatorConfig(),),
    )
    return LongMemEvalBenchmark(config)


def _values(benchmark: LongMemEvalBenchmark, reply: Callable[[Mapping[str, Any]], str]) -> dict[str, set[float | None]]:
    """The values by metric, of an agent that replies with a function of a question's markers."""
    found: dict[str, set[float | None]] = {}
    evaluator = create_evaluator(benchmark.config.evaluators[0])
    for sample in benchmark.samples:
        scenario = sample.to_scenario()
        step = Step(0, scenario.actions[0], reply=reply(scenario.markers(0)))
        for record in asyncio.run(evaluator.evaluate(ScenarioOutcome(scenario, [step]))):
            if record.outcome == "scored":
                found.setdefault(record.metric, set()).add(record.value)
    return found


def test_it_has_questions_of_every_type_without_a_defect(seed: LongMemEvalBenchmark) -> None:
    kinds = Counter(sample.tags["kind"] for sample in seed.samples)
    assert kinds == dict.fromkeys(QUESTION_TYPES, 4) | {"single-session-preference": 2, "abstention": 4}
    assert seed.skipped == []
    sessions = (
        sum(event.type == "session_boundary" for event in sample.history.events)
        for sample in seed.samples
        if sample.history
    )
    assert set(sessions) == {8}


def test_a_perfect_agent_scores_1_and_one_that_declines_only_abstains(seed: LongMemEvalBenchmark) -> None:
    def perfect(markers: Mapping[str, Any]) -> str:
        unanswerable = markers["longmemeval_rule"] == "abstention"
        return "That was not mentioned." if unanswerable else str(markers["expected_answer"])

    assert _values(seed, perfect) == {"longmemeval_proxy": {1}, "abstention_proxy": {1}}
    declined = _values(seed, lambda _: "That was not mentioned.")
    assert declined == {"longmemeval_proxy": {0}, "abstention_proxy": {1}}


def test_the_rollup_ranks_memories_over_none(tmp_path: Path) -> None:
    matrix = {
        "agents": [str(_ROOT / "configs/agents/extractive.yaml")],
        "memory_systems": [str(_ROOT / f"configs/memory_systems/{name}.yaml") for name in ("no_memory", "lexical")],
        "benchmarks": [str(_ROOT / "configs/benchmarks/longmemeval.yaml")],
    }
    heams.run({"run_name": "longmemeval", "matrix": matrix}, tmp_path)
    (path,) = write_benchmark_rollup_reports(tmp_path)
    text = path.read_text(encoding="utf-8")
    none, lexical = (_row(text, name) for name in ("no_memory", "lexical"))
    assert none[:2] == ["0.000", "0.000 [0.000, 0.161], n 20, 2 left out"]
    assert none[2].startswith("1.000")
    assert float(lexical[0]) > 0.4
    assert float(lexical[2].split()[0]) < 1
    assert "Retrieval (recall@10), by type" in text
    assert "Retrieval (session_recall@10), by type" in text
    assert "(judge)" not in text


def _row(text: str, name: str) -> list[str]:
    """The cells of a memory's first row, behind its name and whether it is a reference."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.split("|")[3:-1]]

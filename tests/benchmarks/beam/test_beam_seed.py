"""The seed set of BEAM: complete, answerable, and ranking memories as it should; its roll-up reads the results."""

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import heams
from heams.benchmarks import BeamBenchmark, BeamBenchmarkConfig
from heams.benchmarks.beam.abilities import ALL_ABILITIES
from heams.evaluation import NuggetEvaluatorConfig, create_evaluator
from heams.evaluation.nugget_rules import without_lead_in
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports
from heams.scenarios.outcome import ScenarioOutcome, Step

_ROOT = Path(__file__).parents[3]
_COMPONENTS = _ROOT / "configs"
Reply = Callable[[dict[str, Any]], str]


@pytest.fixture(scope="module")
def seed() -> BeamBenchmark:
    config = BeamBenchmarkConfig(
        data_dir=_ROOT / "datasets/beam/chats",
        size="seed",
        question_prompt="{question}",
        evaluators=(NuggetEvaluatorConfig(legacy=True),),
    )
    return BeamBenchmark(config)


def _scores(benchmark: BeamBenchmark, reply: Reply) -> dict[str, list[float | None]]:
    """The values by metric, of an agent that replies with a function of a question's labels."""
    found: dict[str, list[float | None]] = {}
    evaluator = create_evaluator(benchmark.config.evaluators[0])
    for sample in benchmark.samples:
        scenario = sample.to_scenario()
        step = Step(0, scenario.actions[0], reply=reply(dict(scenario.markers(0))))
        for record in asyncio.run(evaluator.evaluate(ScenarioOutcome(scenario, [step]))):
            found.setdefault(record.metric, []).append(record.value)
    return found


def test_it_has_two_chats_and_two_questions_per_ability_without_a_defect(seed: BeamBenchmark) -> None:
    assert Counter(sample.tags["ability"] for sample in seed.samples) == dict.fromkeys(ALL_ABILITIES, 4)
    assert Counter(sample.tags["chat"] for sample in seed.samples) == {"1": 20, "2": 20}
    assert seed.skipped == []
    histories = {sample.history.id: sample.history for sample in seed.samples if sample.history}
    turns = [sum(event.type == "turn" for event in history.events) for history in histories.values()]
    assert [140 <= number <= 160 for number in turns] == [True, True]


def test_a_perfect_agent_scores_1_and_one_that_declines_only_abstains(seed: BeamBenchmark) -> None:
    def perfect(markers: dict[str, Any]) -> str:
        if markers["rubric_rule"] == "abstention":
            return str(markers["expected_answer"])
        return "\n".join(map(without_lead_in, markers["rubric"]))

    assert {metric for metric, values in _scores(seed, perfect).items() if set(values) != {1}} == set()
    declined = _scores(seed, lambda _: "I have no information about that.")
    assert set(declined["abstention_proxy"]) == {1}
    assert set(declined["nugget_proxy"]) == set(declined["event_order_proxy"]) == {0}


def test_gold_answers_meet_their_rubrics(seed: BeamBenchmark) -> None:
    found = _scores(seed, lambda markers: str(markers["expected_answer"]))
    assert {metric for metric, values in found.items() if set(values) != {1} and "legacy" not in metric} == set()


def test_the_configuration_of_the_guide_chooses_as_it_says() -> None:
    page = (_ROOT / "docs/benchmarks/beam.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    given = yaml.safe_load(block)
    config = BeamBenchmarkConfig.model_validate({**given, "data_dir": _ROOT / given["data_dir"]})
    found = Counter((sample.tags["chat"], sample.tags["ability"]) for sample in BeamBenchmark(config).samples)
    assert found == {("1", ability): 2 for ability in ("knowledge_update", "event_ordering", "abstention")}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seed set played without and with a memory, by the smoke configuration's components."""
    folder = tmp_path_factory.mktemp("beam")
    run = {
        "run_name": "beam",
        "matrix": {
            "agents": [str(_COMPONENTS / "agents/extractive.yaml")],
            "memory_systems": [
                str(_COMPONENTS / "memory_systems" / f"{name}.yaml") for name in ("no_memory", "lexical", "hybrid")
            ],
            "benchmarks": [str(_COMPONENTS / "benchmarks/beam.yaml")],
        },
    }
    heams.run(run, folder)
    return folder


def test_the_rollup_ranks_memories_over_none_by_the_mean_of_ten_abilities(results: Path) -> None:
    (path,) = write_benchmark_rollup_reports(results)
    text = path.read_text(encoding="utf-8")
    proxy, published = text.split("### As the published code scores")
    assert [line.split(" | ")[0].strip("| ") for line in proxy.splitlines() if line.startswith("| ")][2:] == [
        "Abstention", "Contradiction resolution", "Event ordering", "Information extraction", "Instruction following",
        "Knowledge update", "Multi-session reasoning", "Preference following", "Summarisation", "Temporal reasoning",
        "**Overall**",
    ]  # fmt: skip
    none, *memories = _overall(proxy)
    assert none == 0.1
    assert min(memories) > 2 * none
    assert _overall(published)[0] == pytest.approx(0.118)
    assert "Retrieval (recall@10), by ability" in published
    assert "(judge)" not in text


def test_judged_scores_have_tables_of_their_own(results: Path, tmp_path: Path) -> None:
    (played,) = results.glob("*lexical*")
    shutil.copytree(played, tmp_path / played.name)
    runs = tmp_path / played.name / "runs.jsonl"
    text = runs.read_text().replace('"nugget_proxy"', '"judge_nugget"').replace('"abstention_proxy"', '"judge_nugget"')
    runs.write_text(text.replace('"nugget_proxy_legacy"', '"judge_nugget_legacy"'))
    (path,) = write_benchmark_rollup_reports(tmp_path)
    report = path.read_text(encoding="utf-8")
    titles = ("(proxy, no model)", "(judge)", "(judge, as published)")
    found = [_overall(report.split(f"### Abilities {title}")[1]) for title in titles]
    assert [len(overall) for overall in found] == [1, 1, 1]
    assert found[1] > found[0]


def test_answers_are_scored_on_forks_of_one_history_per_chat(results: Path) -> None:
    (ingests,) = results.glob("*lexical*/ingests.jsonl")
    assert len(ingests.read_text().splitlines()) == 2
    (runs,) = results.glob("*lexical*/runs.jsonl")
    lines = [json.loads(line) for line in runs.read_text().splitlines()]
    assert {line["status"] for line in lines} == {"completed"}
    assert len(lines) == 40


def _overall(section: str) -> list[float]:
    """The overall means, memory by memory."""
    row = next(line for line in section.splitlines() if line.startswith("| **Overall**"))
    return [float(one) for one in row.split("|") if one.strip().replace(".", "").isdecimal()]

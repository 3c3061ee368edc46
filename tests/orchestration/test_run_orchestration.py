"""A run from its file to its artifacts: what is written, what is resumed, what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import heams
from heams.orchestration.errors import RunRefused
from heams.orchestration.folder import exclusive
from heams.orchestration.results import RunStatus

Questions = Callable[..., Path]
Run = Callable[..., dict[str, Any]]


def _lines(output: Path, name: str = "runs.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (output / "one" / name).read_text(encoding="utf-8").splitlines()]


def _status(output: Path) -> RunStatus:
    return RunStatus.model_validate_json((output / "one/run_status.json").read_bytes())


def test_a_run_leaves_config_results_and_status(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    results = heams.run(one_experiment(questions(5)), tmp_path / "out")
    assert [result.sample_id for result in results] == ["q0", "q1", "q2", "q3", "q4"]
    (config_file,) = (tmp_path / "out/one").glob("experiment_config.*.yaml")
    config = yaml.safe_load(config_file.read_text(encoding="utf-8"))
    assert list(config)[:2] == ["run_id", "name"]
    assert {"agent_config", "memory_system_config", "benchmark_config", "provenance"} <= set(config)
    assert config_file.name == f"experiment_config.{config['run_id']}.yaml"
    assert [len(entry["sha256"]) for entry in config["provenance"]["data"]] == [64]
    status = _status(tmp_path / "out")
    assert (status.state, status.total, status.finished, status.errors) == ("completed", 5, 5, 0)
    values = {result.sample_id: result.records[0].value for result in results}
    assert values == {"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "q4": 0.0}
    assert not list((tmp_path / "out").rglob("*.md"))


def test_the_same_command_plays_nothing_twice(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    config = one_experiment(questions(6))
    heams.run(config, tmp_path / "out", limit=2)
    assert [line["sample_id"] for line in _lines(tmp_path / "out")] == ["q0", "q1"]
    heams.run(config, tmp_path / "out")
    heams.run(config, tmp_path / "out")
    assert sorted(line["sample_id"] for line in _lines(tmp_path / "out")) == [f"q{n}" for n in range(6)]
    assert len({line["run_id"] for line in _lines(tmp_path / "out")}) == 1


def test_a_half_written_last_line_is_dropped_said_and_played_again(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    from heams.orchestration.listener import RunListener

    notes: list[str] = []

    class Notes(RunListener):
        def note(self, name: str, message: str) -> None:
            notes.append(message)

    config = one_experiment(questions(3))
    heams.run(config, tmp_path / "out")
    file = tmp_path / "out/one/runs.jsonl"
    file.write_bytes(file.read_bytes()[:-30])
    results = heams.run(config, tmp_path / "out", listener=Notes())
    assert len(results) == 3
    assert len(_lines(tmp_path / "out")) == 3
    assert any("half-written" in note for note in notes)


def test_errors_are_lines_of_their_own_and_are_tried_again(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    agent = {"type": "scripted", "default": "x", "fail_on": ["number 1 "]}
    config = one_experiment(questions(3), agent=agent, retries=1)
    results = heams.run(config, tmp_path / "out")
    failed = [result for result in results if result.status == "error"]
    assert [result.sample_id for result in failed] == ["q1"]
    assert failed[0].attempt == 2
    assert failed[0].error is not None
    assert failed[0].error.phase == "step 0"
    assert [(record.metric, record.outcome, record.contribution) for record in failed[0].records] == [
        ("contains", "error", 0.0)
    ]
    assert _status(tmp_path / "out").errors == 1
    heams.run(config, tmp_path / "out")
    assert [line["attempt"] for line in _lines(tmp_path / "out") if line["sample_id"] == "q1"] == [1, 2, 3, 4]
    assert len(heams.load_results(tmp_path / "out")) == 3


def test_a_changed_configuration_is_refused_with_the_difference(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    data = questions(3)
    heams.run(one_experiment(data), tmp_path / "out")
    changed = one_experiment(data, agent={"type": "scripted", "default": "something else"})
    with pytest.raises(RunRefused, match="something else") as refusal:
        heams.run(changed, tmp_path / "out")
    assert "--new-run" in str(refusal.value)
    results = heams.run(changed, tmp_path / "out", new_run=True)
    assert len(results) == 3
    assert len({line["run_id"] for line in _lines(tmp_path / "out")}) == 2


def test_changed_data_is_refused_and_moved_data_is_not(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    data = questions(3)
    heams.run(one_experiment(data), tmp_path / "out")
    moved = tmp_path / "elsewhere.jsonl"
    data.rename(moved)
    heams.run(one_experiment(moved), tmp_path / "out")
    assert len(_lines(tmp_path / "out")) == 3
    moved.write_text(moved.read_text(encoding="utf-8").replace("kettle", "teapot"), encoding="utf-8")
    with pytest.raises(RunRefused, match="sha256"):
        heams.run(one_experiment(moved), tmp_path / "out")


def test_a_folder_in_use_is_refused(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    with exclusive(tmp_path / "out"), pytest.raises(RunRefused, match="another heams process"):
        heams.run(one_experiment(questions(1)), tmp_path / "out")


def test_a_history_is_heard_once_stored_once_and_probed_on_forks(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    config = one_experiment(
        questions(8, history=20),
        agent={"type": "extractive"},
        memory={"type": "lexical"},
        benchmark={
            "evaluators": [{"type": "task_qa", "match_mode": "contains"}, {"type": "evidence_recall", "k": [1, 10]}]
        },
    )
    results = list(heams.run(config, tmp_path / "out"))
    assert {result.isolation for result in results} == {"fork"}
    assert {result.history_id for result in results} == {"boxes"}
    ingests = _lines(tmp_path / "out", "ingests.jsonl")
    assert [(record["history_id"], record["events"], record["status"]) for record in ingests] == [
        ("boxes", 20, "completed")
    ]
    (history,) = (tmp_path / "out/one/histories").iterdir()
    assert history.name == "boxes.jsonl"
    assert len(history.read_text(encoding="utf-8").splitlines()) == 20
    recalls = [record.value for result in results for record in result.records if record.metric == "recall@10"]
    assert recalls == [1.0] * 8
    texts = _lines(tmp_path / "out", "texts.jsonl")
    assert len({row["id"] for row in texts}) == len(texts) <= 20


def test_a_resumed_run_restores_the_memory_instead_of_hearing_again(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    config = one_experiment(questions(6, history=10), agent={"type": "extractive"}, memory={"type": "lexical"})
    heams.run(config, tmp_path / "out", limit=2)
    heams.run(config, tmp_path / "out")
    assert [record.get("restored") for record in _lines(tmp_path / "out", "ingests.jsonl")] == [False, True]


def test_repeats_are_results_of_their_own(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    results = heams.run(one_experiment(questions(2), repeats=3), tmp_path / "out")
    assert sorted((result.sample_id, result.repeat) for result in results) == [
        (sample, repeat) for sample in ("q0", "q1") for repeat in range(3)
    ]


def test_the_recall_budget_holds_for_competitors_and_not_for_bounds(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    data = questions(1, history=30)
    agent = {"type": "scripted", "default": "x", "recall": True}
    seen: dict[str, int] = {}
    for memory in ("lexical", "full_context"):
        config = one_experiment(data, agent=agent, memory={"type": memory}, recall_budget={"items": 3})
        (result,) = heams.run(config, tmp_path / memory)
        assert result.transcript[0].recalls is not None
        seen[memory] = len(result.transcript[0].recalls[0].ids)
    assert seen == {"lexical": 3, "full_context": 30}


def test_an_agent_can_decide_what_to_save(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    config = one_experiment(
        questions(2, history=5),
        agent={"type": "scripted", "default": "x", "recall": True, "save_history": True},
        memory={"type": "lexical"},
        ingestion="through_agent",
        benchmark={"evaluators": [{"type": "evidence_recall", "k": [5]}]},
    )
    results = list(heams.run(config, tmp_path / "out"))
    assert [record["ingestion"] for record in _lines(tmp_path / "out", "ingests.jsonl")] == ["through_agent"]
    assert [record.value for result in results for record in result.records if record.metric == "recall@5"] == [1, 1]


def test_a_hanging_agent_costs_its_scenario_and_not_the_run(
    questions: Questions, one_experiment: Run, tmp_path: Path
) -> None:
    config = one_experiment(
        questions(2), agent={"type": "scripted", "latency_s": 60}, scenario_timeout_s=0.2, retries=0
    )
    results = list(heams.run(config, tmp_path / "out"))
    assert [result.error.type for result in results if result.error] == ["Timeout", "Timeout"]


def test_a_running_event_loop_is_no_obstacle(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    import asyncio

    async def notebook() -> int:
        return len(heams.run(one_experiment(questions(2)), tmp_path / "out"))

    assert asyncio.run(notebook()) == 2


def test_relation_has_one_row_per_record(questions: Questions, one_experiment: Run, tmp_path: Path) -> None:
    results = heams.run(one_experiment(questions(4)), tmp_path / "out")
    rows = results.relation().aggregate("metric, outcome, count(*) AS n, avg(value) AS mean").fetchall()
    assert rows == [("contains", "scored", 4, 0.25)]

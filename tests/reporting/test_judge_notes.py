"""What reports say about judges, however late their verdicts come among the results."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams.api
from heams.reporting import judge_notes
from heams.reporting.digest import opened
from heams.reporting.load import load_results

Questions = Callable[..., Path]


@pytest.fixture
def judged(tmp_path: Path, questions: Questions, openai_server: Callable[..., Any]) -> Path:
    """The results of a few judged questions."""
    openai_server(brain={"fixed": {"data": {"reason": "so", "score": 1}}})
    policy = {"kind": "scale", "name": "tone", "version": 1, "system": "Rate it.", "prompt": "{answer}"}
    experiment = {
        "name": "one",
        "agent_config": {"type": "scripted", "default": "kettle"},
        "memory_system_config": {"type": "no_memory"},
        "benchmark_config": {
            "type": "jsonl_qa",
            "data_file": str(questions(3)),
            "question_prompt": "{question}",
            "evaluators": [
                {"type": "task_qa", "match_mode": "contains"},
                {"type": "llm_judge", "judges": [{"model": "openai:judge-1"}], "policy": policy},
            ],
        },
    }
    heams.api.run({"run_name": "test", "experiments": [experiment]}, tmp_path / "results", root=tmp_path)
    return tmp_path / "results" / "one"


def notes(directory: Path) -> list[str]:
    (experiment,) = load_results(directory).experiments
    with opened(experiment) as (digest, _):
        return judge_notes.plain_judge_notes([digest])


def test_a_judge_is_named_though_no_early_result_has_its_verdict(judged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_notes, "_LOOKED_AT", 0)
    (note,) = notes(judged)
    assert note.startswith("judge_tone is judged by openai:judge-1 under the policy tone (")
    assert note.endswith("): uncalibrated (the policy 'tone' knows no passing: give it 'passes_from').")


def test_the_direction_of_a_rate_of_leaks_is_told(judged: Path) -> None:
    assert "lower is better" not in notes(judged)[0]
    file = judged / "runs.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for facts in (record["audit"].get("judge") for line in lines for record in line["records"]):
        if facts:
            facts["policy"] = "disclosure"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert notes(judged)[0].endswith(". It is a rate of leaks: lower is better.")


def test_where_no_verdict_came_the_metric_is_uncalibrated_all_the_same(judged: Path) -> None:
    file = judged / "runs.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for record in (record for line in lines for record in line["records"]):
        record["audit"] = {}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    (note,) = notes(judged)
    assert note.startswith("judge_tone is judged by an unnamed model")
    assert note.endswith("uncalibrated.")


def test_where_every_scenario_failed_there_is_no_judge_to_speak_of(judged: Path) -> None:
    file = judged / "runs.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for record in (record for line in lines for record in line["records"]):
        record |= {"audit": {}, "outcome": "error", "value": None, "passed": None, "reason": "step 0: it broke"}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert notes(judged) == ["judge_tone has no judged score in one."]

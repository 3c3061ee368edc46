"""Judging has a time limit of its own, gives the memory back first, and asks evaluators at the same time."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.evaluation.evidence_recall import EvidenceRecallEvaluator
from heams.evaluation.records import EvaluationRecord
from heams.evaluation.task_qa import TaskQAEvaluator
from heta_framework.common.models.calls.scope import active_scope
from heta_framework.common.models.usage import Usage

Build = Callable[..., Any]
BOTH = {"evaluators": [{"type": "task_qa", "match_mode": "contains"}, {"type": "evidence_recall", "k": [1]}]}


def _verdict(evaluator: str) -> list[EvaluationRecord]:
    return [EvaluationRecord(evaluator=evaluator, metric=f"{evaluator}_metric", step_index=0, value=1.0)]


def test_a_slow_judge_is_no_timeout_of_the_agent(
    questions: Build, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evaluate(self: TaskQAEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        await asyncio.sleep(0.4)
        return _verdict("task_qa")

    monkeypatch.setattr(TaskQAEvaluator, "evaluate", evaluate)
    results = list(heams.run(one_experiment(questions(2), scenario_timeout_s=0.2), tmp_path / "out"))
    assert [result.status for result in results] == ["completed", "completed"]
    assert min(result.timings.evaluate for result in results) >= 0.3


def test_a_judge_that_hangs_is_an_error_of_its_own_phase_which_keeps_what_was_played(
    questions: Build, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evaluate(self: TaskQAEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        scope = active_scope()
        assert scope is not None
        scope.add("judge", Usage(calls=1, input_tokens=7))
        await asyncio.sleep(60)
        return ()

    monkeypatch.setattr(TaskQAEvaluator, "evaluate", evaluate)
    config = one_experiment(questions(1), judging_timeout_s=0.2, retries=0)
    (result,) = heams.run(config, tmp_path / "out")
    assert result.error is not None
    assert (result.error.phase, result.error.type, result.error.message) == (
        "evaluate", "Timeout", "not done within 0.2 s",
    )  # fmt: skip
    assert result.transcript[0].reply == "kettle 0"
    assert result.usage["judge"].input_tokens == 7
    assert [record.outcome for record in result.records] == ["error"]


def test_evaluators_wait_at_the_same_time_and_keep_their_order(
    questions: Build, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = asyncio.Event()

    async def first(self: TaskQAEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        await asyncio.wait_for(met.wait(), 10)  # only the other evaluator opens this door
        return _verdict("task_qa")

    async def second(self: EvidenceRecallEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        met.set()
        return _verdict("evidence_recall")

    monkeypatch.setattr(TaskQAEvaluator, "evaluate", first)
    monkeypatch.setattr(EvidenceRecallEvaluator, "evaluate", second)
    (result,) = heams.run(one_experiment(questions(1), benchmark=BOTH), tmp_path / "out")
    assert [record.evaluator for record in result.records] == ["task_qa", "evidence_recall"]


def test_one_evaluator_that_fails_costs_the_other_nothing(
    questions: Build, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(self: EvidenceRecallEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(EvidenceRecallEvaluator, "evaluate", fails)
    (result,) = heams.run(one_experiment(questions(1, history=2), benchmark=BOTH), tmp_path / "out")
    assert result.status == "completed"
    assert {(record.evaluator, record.outcome) for record in result.records} == {
        ("task_qa", "scored"), ("evidence_recall", "error"),
    }  # fmt: skip


def test_a_folder_from_before_the_limit_existed_is_resumed(
    questions: Build, one_experiment: Build, tmp_path: Path
) -> None:
    config = one_experiment(questions(3))
    heams.run(config, tmp_path / "out", limit=1)
    (saved,) = (tmp_path / "out/one").glob("experiment_config.*.yaml")
    text = saved.read_text(encoding="utf-8")
    assert "judging_timeout_s" in text
    saved.write_text("".join(line for line in text.splitlines(True) if "judging_timeout_s" not in line))
    assert len(heams.run(config, tmp_path / "out")) == 3
    with pytest.raises(heams.RunRefused, match="judging_timeout_s"):
        heams.run(one_experiment(questions(3), judging_timeout_s=5), tmp_path / "out")

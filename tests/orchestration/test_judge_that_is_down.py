"""A judge that cannot be reached costs its own verdicts, and only until the run is resumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.evaluation.records import EvaluationRecord
from heams.evaluation.task_qa import TaskQAEvaluator
from heta_framework.common.models.errors import CallFailed, EmbeddingRequestError, ModelRequestError, ModelResponseError

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
JUDGE = {"model": "openai:judge-1", "max_attempts": 1}
BOTH = {
    "evaluators": [
        {"type": "task_qa", "match_mode": "contains"},
        {"type": "llm_judge", "judges": [JUDGE], "policy": "lenient"},
    ]
}
YES = {"fixed": '{"reason": "it agrees", "label": "CORRECT"}'}


@pytest.fixture
def server(openai_server: Callable[..., LocalServer]) -> LocalServer:
    return openai_server(brains={"judge-1": YES}, brain={"fixed": "kettle 0"})


def _verdicts(line: dict[str, Any]) -> dict[str, str]:
    return {record["evaluator"]: record.get("outcome", "scored") for record in line["records"]}


@pytest.mark.parametrize("fault", ["server_error", "disconnect", "rate_limited", "unauthorised"])
def test_it_is_an_error_of_judging_that_resuming_repairs_without_asking_the_agent_again(
    server: LocalServer, questions: Build, one_experiment: Build, reader: dict[str, Any], lines: Build, tmp_path: Path,
    fault: str,
) -> None:  # fmt: skip
    config = one_experiment(questions(2), agent=reader, benchmark=BOTH, retries=0)
    server.play(faults=[{"fault": fault, "model": "judge-1"}])
    heams.run(config, tmp_path / "out", cache_dir=tmp_path / "cache")
    for line in lines():
        assert (line["status"], line["error"]["phase"]) == ("error", "evaluate")
        assert "could not be reached" in line["error"]["message"]
        assert _verdicts(line) == {"task_qa": "scored", "llm_judge": "unscored"}
        assert line["transcript"][0]["reply"] == "kettle 0"

    server.play(faults=[])
    before = len(server.log.entries)
    results = list(heams.run(config, tmp_path / "out", cache_dir=tmp_path / "cache"))
    assert [(result.status, result.attempt) for result in results] == [("completed", 2)] * 2
    assert {record.outcome for result in results for record in result.records} == {"scored"}
    asked = {entry.body["model"] for entry in server.log.entries[before:]}
    assert asked == {"judge-1"}, "the agent's answers are paid for already"


def test_it_is_tried_again_at_once_where_the_settings_allow(
    server: LocalServer, questions: Build, one_experiment: Build, reader: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    server.play(faults=[{"fault": "server_error", "model": "judge-1", "times": 1}])
    heams.run(one_experiment(questions(1), agent=reader, benchmark=BOTH, retries=1), tmp_path / "out")
    assert [(line["status"], line["attempt"]) for line in lines()] == [("error", 1), ("completed", 2)]


def test_a_judge_that_answers_unreadably_or_refuses_what_it_is_asked_is_not_asked_again(
    server: LocalServer, questions: Build, one_experiment: Build, reader: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    for number, brain in enumerate(({"fixed": "well, well"}, YES)):
        server.play(
            brains={"judge-1": brain}, faults=[] if number == 0 else [{"fault": "context_length", "model": "judge-1"}]
        )
        config = one_experiment(questions(1), agent=reader, benchmark=BOTH, retries=1)
        heams.run(config, tmp_path / "out", new_run=True)
        line = lines()[-1]
        assert (line["status"], line["attempt"]) == ("completed", 1)
        assert _verdicts(line) == {"task_qa": "scored", "llm_judge": "unscored"}


@pytest.mark.parametrize(
    "failure",
    [
        ModelRequestError("no route"),
        ModelResponseError("garbage"),
        EmbeddingRequestError("no route"),
        CallFailed("no route"),
    ],
)
def test_any_evaluator_whose_model_fails_is_asked_again(
    questions: Build, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    async def evaluate(self: TaskQAEvaluator, outcome: Any) -> Sequence[EvaluationRecord]:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(TaskQAEvaluator, "evaluate", evaluate)
        (result,) = heams.run(one_experiment(questions(1), retries=0), tmp_path / "out")
    assert result.error is not None
    assert (result.error.phase, result.error.type) == ("evaluate", type(failure).__name__)
    assert [record.outcome for record in result.records] == ["unscored"]
    (again,) = heams.run(one_experiment(questions(1), retries=0), tmp_path / "out")
    assert (again.status, again.attempt) == ("completed", 2)

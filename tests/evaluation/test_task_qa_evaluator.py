"""The evaluator around the match modes: alternatives, thresholds, steps without labels, failing patterns."""

import asyncio
from typing import Any

import pytest

from heams.evaluation import EvaluationRecord, TaskQAEvaluatorConfig, create_evaluator
from heams.scenarios.actions import Turn, UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario


def _judge(reply: str, gold: Any, mode: Any = "normalized_exact", **options: Any) -> EvaluationRecord:
    config = TaskQAEvaluatorConfig(match_mode=mode, **options)
    action = UserStimulus(content="q", step_evaluation_markers={} if gold is None else {"expected_answer": gold})
    outcome = ScenarioOutcome(Scenario("s", "s", [action], (config,)), [Step(0, action, reply=reply)])
    (record,) = asyncio.run(create_evaluator(config).evaluate(outcome))
    return record


@pytest.mark.parametrize(
    ("mode", "reply", "gold", "value"),
    [
        ("exact", "Grey", "grey", 0.0),
        ("normalized_exact", "The GREY.", "grey", 1.0),
        ("normalized_exact", "(3.14)", "314", 0.0),
        ("normalized_exact", "(3.14)", "3.14", 1.0),
        ("contains", "not known", "no", 0.0),
        ("contains", "no, never", "no", 1.0),
        ("token_f1", "grey cat", "grey", 2 / 3),
        ("numeric", "about 1,000 km", 1000, 1.0),
        ("numeric", "-5", "5", 0.0),
        ("regex", "on 7 May 2023", r"\b7(th)? May\b", 1.0),
        ("normalized_exact", "two", ["2", "two"], 1.0),
    ],
)
def test_modes(mode: str, reply: str, gold: Any, value: float) -> None:
    record = _judge(reply, gold, mode)
    assert record.value == pytest.approx(value)
    assert record.metric == mode
    assert record.passed == (value == 1.0)
    assert record.observed == reply


def test_the_threshold_decides_what_passes() -> None:
    assert _judge("grey cat", "grey", "token_f1", pass_threshold=0.5).passed is True


def test_numbers_within_tolerance() -> None:
    assert _judge("99.5", "100", "numeric", rel_tol=0.01).value == 1.0
    assert _judge("99.5", "100", "numeric").value == 0.0


def test_a_step_without_a_label_is_unscored() -> None:
    assert _judge("x", None).outcome == "unscored"


@pytest.mark.parametrize(("mode", "gold"), [("regex", "("), ("numeric", "no number")])
def test_a_gold_that_cannot_be_compared_is_unscored_and_says_why(mode: str, gold: str) -> None:
    record = _judge("x", gold, mode)
    assert record.outcome == "unscored"
    assert record.reason


def test_only_stimuli_are_judged() -> None:
    config = TaskQAEvaluatorConfig(match_mode="exact")
    turn = Turn(id="t", content="c")
    outcome = ScenarioOutcome(Scenario("s", "s", [turn], (config,)), [Step(0, turn)])
    evaluator = create_evaluator(config)
    assert not asyncio.run(evaluator.evaluate(outcome))
    assert not evaluator.expected_records(outcome.scenario)

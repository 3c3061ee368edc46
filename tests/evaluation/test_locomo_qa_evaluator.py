"""The evaluator around the official rules: metrics kept apart, options by letter, missing labels unscored."""

import asyncio
from typing import Any

import pytest

from heams.evaluation import EvaluationRecord, LocomoQAEvaluatorConfig, create_evaluator, locomo_scoring
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario


def _judge(reply: str, *, wider: bool = False, **markers: Any) -> list[EvaluationRecord]:
    config = LocomoQAEvaluatorConfig(wider_refusals=wider)
    action = UserStimulus(content="q", step_evaluation_markers=markers)
    outcome = ScenarioOutcome(Scenario("s", "s", [action], (config,)), [Step(0, action, reply=reply)])
    evaluator = create_evaluator(config)
    records = list(asyncio.run(evaluator.evaluate(outcome)))
    assert [(record.step_index, record.metric) for record in records] == [
        tuple(owed) for owed in evaluator.expected_records(outcome.scenario)
    ]
    return records


def test_answerable_categories_give_f1() -> None:
    (record,) = _judge("a grey cat", category_id=4, expected_answer="grey")
    assert (record.metric, record.expected, record.observed) == ("f1", "grey", "a grey cat")
    assert record.value == pytest.approx(2 / 3)
    assert record.reason == "token F1 0.667"


def test_category_five_is_another_metric() -> None:
    (record,) = _judge("That is not mentioned.", category_id=5, adversarial_answer="grey")
    assert (record.metric, record.value, record.passed) == ("adversarial_accuracy", 1.0, True)


@pytest.mark.parametrize(("reply", "value"), [("(b)", 1.0), ("B", 1.0), ("a", 0.0), ("(a).", 0.0), ("a grey cat", 0.0)])
def test_a_bare_letter_stands_for_its_option(reply: str, value: float) -> None:
    options = {"a": "grey", "b": "not mentioned in the conversation"}
    (record,) = _judge(reply, category_id=5, options=options)
    assert record.value == value
    assert record.observed == reply


def test_paraphrased_refusals_count_only_in_the_wider_metric() -> None:
    official, wider = _judge("I do not know.", wider=True, category_id=5)
    assert (official.metric, official.value) == ("adversarial_accuracy", 0.0)
    assert (wider.metric, wider.value) == ("adversarial_refusal", 1.0)


@pytest.mark.parametrize("markers", [{"category_id": 4}, {"category_id": 7, "expected_answer": "x"}, {}])
def test_without_a_label_there_is_no_verdict(markers: dict[str, Any]) -> None:
    (record,) = _judge("x", **markers)
    assert record.outcome == "unscored"


def test_what_takes_seconds_to_load_is_loaded_before_anybody_is_asked() -> None:
    locomo_scoring._stemmer.cache_clear()
    create_evaluator(LocomoQAEvaluatorConfig())
    assert locomo_scoring._stemmer.cache_info().currsize == 1

"""`multiple_choice`: what its records say of perfect, wrong, refusing and unreadable replies, by every rule."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from heams.evaluation import EvaluationRecord, MultipleChoiceEvaluatorConfig, create_evaluator
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

ALL_RULES = ("prefeval_tag", "prefeval_prefilled", "prefeval_json", "personamem")
MARKERS = {"options": {"a": "tea", "b": "milk", "c": "water", "d": "tea"}, "right_option": "b"}


def judged(reply: str, markers: Mapping[str, Any] = MARKERS, *legacy: str) -> dict[str, EvaluationRecord]:
    config = MultipleChoiceEvaluatorConfig.model_validate({"legacy": legacy})
    stimulus = UserStimulus(content="Which?", step_evaluation_markers=markers)
    scenario = Scenario("s", "s", [stimulus], (config,))
    evaluator = create_evaluator(config)
    records = asyncio.run(evaluator.evaluate(ScenarioOutcome(scenario, [Step(0, stimulus, reply=reply)])))
    owed = [owed.metric for owed in evaluator.expected_records(scenario)]
    assert owed == [record.metric for record in records] == list(config.metrics)
    return {record.metric: record for record in records}


def test_a_record_says_what_was_right_and_what_was_chosen() -> None:
    (record,) = judged("I'd say (c).").values()
    assert (record.metric, record.value, record.passed) == ("choice_accuracy", 0, False)
    assert (record.expected, record.observed, record.reason) == ("(b) milk", "I'd say (c).", "chose (c)")
    assert record.audit == {"chosen": "c", "right": "b"}


@pytest.mark.parametrize(("reply", "value"), [("b", 1), ("Milk.", 1), ("a", 0), ("I cannot tell.", 0), ("", 0)])
def test_who_does_not_choose_is_wrong(reply: str, value: float) -> None:
    assert judged(reply)["choice_accuracy"].value == value


def test_an_option_with_the_right_words_is_right_under_any_letter() -> None:
    assert judged("(d)", {**MARKERS, "right_option": "a"})["choice_accuracy"].value == 1


def test_every_legacy_rule_is_a_metric_of_its_own() -> None:
    found = judged("<choice>Answer: B</choice>", MARKERS, *ALL_RULES)
    assert {metric: record.value for metric, record in found.items()} == {
        "choice_accuracy": 1,
        "prefeval_tag_legacy": 0,
        "prefeval_prefilled_legacy": 0,
        "prefeval_json_legacy": 1,
        "personamem_legacy": 1,
    }
    assert found["prefeval_tag_legacy"].reason == "extracted A"


def test_where_the_official_code_fails_it_has_no_verdict() -> None:
    found = judged('{"answer": "b"}', MARKERS, "prefeval_json")
    assert found["choice_accuracy"].value == 1
    assert found["prefeval_json_legacy"].outcome == "unscored"
    assert found["prefeval_json_legacy"].reason == "the official code fails on this reply (UnboundLocalError)"


@pytest.mark.parametrize("markers", [{}, {"options": {"a": "tea"}}, {"options": {"a": "tea"}, "right_option": "b"}])
def test_a_step_without_options_has_no_verdict(markers: Mapping[str, Any]) -> None:
    found = judged("a", markers, "prefeval_tag")
    assert {record.outcome for record in found.values()} == {"unscored"}


def test_a_rule_is_named_once() -> None:
    with pytest.raises(ValidationError, match="must be different rules"):
        MultipleChoiceEvaluatorConfig(legacy=("personamem", "personamem"))

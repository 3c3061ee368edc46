"""`nugget`: items by their words, orders by Kendall's tau-b, abstention, and the published rules under other names."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.evaluation import EvaluationRecord, NuggetEvaluatorConfig, create_evaluator
from heams.evaluation.event_order import event_order, parts_of
from heams.evaluation.nugget_rules import item_score, without_lead_in
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

EVENTS = ("seeds bought", "beds dug", "seedlings planted", "jam cooked")


def _records(reply: str, rubric: Any, rule: str | None = None, *, legacy: bool = False) -> list[EvaluationRecord]:
    config = NuggetEvaluatorConfig(legacy=legacy)
    markers = {"rubric": rubric, **({"rubric_rule": rule} if rule else {})}
    stimulus = UserStimulus(content="?", step_evaluation_markers=markers)
    scenario = Scenario("s", "s", [stimulus], (config,))
    evaluator = create_evaluator(config)
    records = list(asyncio.run(evaluator.evaluate(ScenarioOutcome(scenario, [Step(0, stimulus, reply=reply)]))))
    assert [(record.step_index, record.metric) for record in records] == evaluator.expected_records(scenario)
    return records


@pytest.mark.parametrize(
    ("item", "bare"),
    [
        ("LLM response should state: 58 trees", "58 trees"),
        ("The response should clearly mention: a", "a"),
        ("Response should contain: per household", "per household"),
        ("Deer fence", "Deer fence"),
        ("LLM response should state:", "LLM response should state:"),
    ],
)
def test_lead_ins_are_no_part_of_an_item(item: str, bare: str) -> None:
    assert without_lead_in(item) == bare


@pytest.mark.parametrize(
    ("answer", "item", "score"),
    [
        ("It ends on 29 March.", "March 29", 1),
        ("On 2025-03-01.", "LLM response should state: March 1, 2025", 1),
        ("29 March 2024", "March 29", 1),
        ("March 3, 2025", "March 1, 2025", 0),
        ("17,500 pounds in all", "17,500 pounds", 1),
        ("14,000 pounds", "17,500 pounds", 0),
        ("From March 1 on.", "from March 1 to September 20", 0.5),
        ("It cost 400.", "400 pounds for the stove", 0),
        ("A dress code and pounds", "code", 1),
        ("the contractor never turned up", "the contractor never came", 0.5),
        ("I have no information about the deer fence.", "deer fence", 0),
        ("It was not the deer fence.", "the deer fence", 0),
        ("There is contradictory information: you have never baked.", "there is contradictory information", 1),
        ("He never came, and the scouts dug the post holes.", "the scouts dug the post holes", 1),
        ("", "anything", 0),
    ],
)
def test_an_item_is_met_by_the_share_of_its_words_and_by_its_numbers(answer: str, item: str, score: float) -> None:
    assert item_score(answer, item) == score


def test_a_question_scores_the_mean_over_its_items_and_0_as_published_for_a_half() -> None:
    rubric = ["58 trees", "the contractor never came", "an apple press"]
    now, legacy = _records("58 trees; the contractor never turned up", rubric, legacy=True)
    assert (now.metric, now.value, now.passed, now.reason) == ("nugget_proxy", 0.5, False, "items: 1, 0.5, 0")
    assert (now.expected, now.observed) == (" | ".join(rubric), "58 trees; the contractor never turned up")
    assert legacy.metric == "nugget_proxy_legacy"
    assert legacy.value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("1. bought seeds\n2. dug the beds\n3. planted seedlings\n4. cooked jam", 1),
        ("Here is the order:\n\n- seeds bought\n- beds dug\n- seedlings planted\n- jam cooked\n\nHope that helps!", 1),
        ("seeds bought, beds dug, seedlings planted, jam cooked", 1),
        ("1) seeds bought 2) beds dug 3) seedlings planted 4) jam cooked", 1),
        ("jam cooked\nseedlings planted\nbeds dug\nseeds bought", 0),
        ("beds dug\nseeds bought\nseedlings planted\njam cooked", pytest.approx((2 / 3 + 1) / 2)),
        ("beds dug\njam cooked", 0.5),
        ("jam cooked", 0.25),
        ("Not mentioned", 0),
        ("", 0),
    ],
)
def test_an_order_is_tau_b_over_the_named_events_times_their_share(answer: str, score: Any) -> None:
    (record,) = _records(answer, list(EVENTS), "order")
    assert (record.metric, record.value) == ("event_order_proxy", score)


def test_the_published_order_gives_points_to_an_answer_without_events() -> None:
    now, legacy = _records("Not mentioned", list(EVENTS), "order", legacy=True)
    assert now.value == 0
    assert legacy.metric == "event_order_proxy_legacy"
    assert legacy.value == pytest.approx(0.18377, abs=1e-4)


def test_an_order_that_the_published_code_cannot_score_is_unscored_by_name() -> None:
    now, legacy = _records("seeds bought", ["seeds bought"], "order", legacy=True)
    assert now.value == 1
    assert (legacy.outcome, legacy.value) == ("unscored", None)
    assert "NaN" in legacy.reason


@pytest.mark.parametrize(("answer", "value"), [("There is no information about it.", 1), ("It was green.", 0), ("", 0)])
def test_abstention_is_whether_the_answer_declines(answer: str, value: float) -> None:
    (record,) = _records(answer, "no information", "abstention", legacy=True)
    assert (record.metric, record.value, record.passed) == ("abstention_proxy", value, value == 1)


def test_steps_without_a_rubric_owe_nothing_and_unknown_rules_are_named() -> None:
    assert _records("x", []) == []
    with pytest.raises(ValueError, match="must be one of items, order, abstention; found 'sorted'"):
        _records("x", ["y"], "sorted")


_words = st.lists(st.sampled_from(["oak", "elm", "ash", "yew", "fir", "box"]), min_size=1, max_size=5, unique=True)


@given(events=_words, order=st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_scores_of_orders_are_bounded_and_perfect_exactly_for_the_order_itself(events: list[str], order: Any) -> None:
    shuffled = order.sample(events, len(events))
    found = event_order("\n".join(shuffled), events)
    assert 0 <= found.score <= 1
    assert (found.score == 1) is (shuffled == events)
    assert [events[index] for index in found.named] == shuffled
    assert event_order("\n".join(reversed(events)), events).score == (1 if len(events) == 1 else 0)


@given(st.text(max_size=60), st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_texts_can_be_scored(answer: str, item: str) -> None:
    assert item_score(answer, item) in (0, 0.5, 1)
    assert all(part.strip() for part in parts_of(answer))
    assert 0 <= event_order(answer, [item]).score <= 1

"""longmemeval and session_recall: each question by its own rule, and sessions found by any of their turns."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from heams.evaluation import (
    EvaluationRecord,
    LongMemEvalEvaluatorConfig,
    SessionRecallEvaluatorConfig,
    create_evaluator,
)
from heams.memory.base import RecalledItem
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import Recall, ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario


def _records(
    config: Any,
    reply: str,
    markers: Mapping[str, Any],
    recalled: Sequence[Sequence[str]] = (),
    *,
    provenance: bool = True,
    ranked: bool = True,
) -> Sequence[EvaluationRecord]:
    stimulus = UserStimulus(content="?", step_evaluation_markers=markers)
    scenario = Scenario(id="s", name="s", actions=[stimulus], evaluators=[config])
    step = Step(0, stimulus, reply=reply)
    items = [RecalledItem(id=str(place), text="", event_ids=tuple(ids)) for place, ids in enumerate(recalled)]
    step.recalls = [Recall(query="?", items=items, tokens=[1] * len(items))]
    played = ScenarioOutcome(scenario, [step])
    played.memory_provenance, played.memory_ranked = provenance, ranked
    evaluator = create_evaluator(config)
    records = asyncio.run(evaluator.evaluate(played))
    owed = [tuple(one) for one in evaluator.expected_records(scenario)]
    assert [(one.step_index, one.metric) for one in records] == owed
    return records


def _score(reply: str, rule: str, gold: str | None = None) -> EvaluationRecord:
    markers = {"longmemeval_rule": rule, **({} if gold is None else {"expected_answer": gold})}
    (record,) = _records(LongMemEvalEvaluatorConfig(), reply, markers)
    return record


@pytest.mark.parametrize(
    ("reply", "gold", "right"),
    [
        ("not 3 but 4", "3", False),
        ("The answer is not Paris.", "Paris", False),
        ("No, it was Paris.", "Paris", True),
        ("3 temples in 2 days", "3", True),
        ("400000", "$400,000", True),
        ("3", "three", True),
        ("on May 5, 2023", "5 May 2023", True),
        ("It took 8 days.", "7 days. 8 days (including the last day) is also acceptable.", True),
        ("It took 9 days.", "7 days. 8 days (including the last day) is also acceptable.", False),
    ],
)
def test_what_is_denied_is_not_said_and_every_acceptable_answer_counts(reply: str, gold: str, right: bool) -> None:
    assert _score(reply, "answer", gold).value == right


@pytest.mark.parametrize(
    ("reply", "gold", "value"),
    [
        ("It is grey.", "grey", 1),
        ("It is not mentioned.", "grey", 0),
        ("I went to three of them.", "3", 1),
        ("13", "3", 0),
        ("In Graz and in Porto.", "Porto and Graz", 1),
        ("In Graz.", "Porto and Graz", 0),
        ("", "grey", 0),
        ("There is no information about grey cats.", "grey", 0),
    ],
)
def test_a_short_gold_is_contained_with_all_its_parts(reply: str, gold: str, value: float) -> None:
    record = _score(reply, "answer", gold)
    assert (record.metric, record.value, record.passed) == ("longmemeval_proxy", value, value == 1)
    assert record.audit["rule"] == "contained"


def test_a_longer_gold_counts_by_its_words() -> None:
    gold = "the red bicycle that stood behind the old school"
    assert _score(gold, "answer", gold).value == 1
    half = _score("the red bicycle", "answer", gold)
    assert half.value == pytest.approx(2 * 2 / (2 + 7), abs=0.05)
    assert (half.passed, half.audit["rule"]) == (None, "token_f1")


def test_abstention_is_a_refusal_and_another_metric() -> None:
    declined = _score("That was not mentioned.", "abstention", "no dog")
    assert (declined.metric, declined.value) == ("abstention_proxy", 1)
    assert _score("A grey dog.", "abstention", "no dog").value == 0


def test_what_no_rule_can_score_is_unscored_with_its_reason() -> None:
    preference = _score("Podcasts!", "preference", "names podcasts")
    assert (preference.outcome, preference.metric) == ("unscored", "longmemeval_proxy")
    assert "judge" in preference.reason
    assert _score("grey", "answer").reason == "the question has no answer label"


_SESSIONS = {"evidence_sessions": [["s1-t1", "s1-t2"], ["s3-t1"]]}
_CONFIG = SessionRecallEvaluatorConfig(k=(1, 3))


def test_a_session_is_found_by_any_of_its_turns() -> None:
    found = _records(_CONFIG, "", _SESSIONS, [["s1-t2"], ["s2-t1"], ["s3-t1", "s4-t1"]])
    assert [(one.metric, one.value) for one in found] == [("session_recall@1", 0.5), ("session_recall@3", 1)]
    assert found[0].observed == "s1-t1 to s1-t2"
    nothing = _records(_CONFIG, "", _SESSIONS, [["s2-t1"]])
    assert [one.value for one in nothing] == [0, 0]


def test_without_labels_provenance_or_ranking_there_is_no_recall() -> None:
    assert {one.outcome for one in _records(_CONFIG, "", {})} == {"unscored"}
    unknown = _records(_CONFIG, "", _SESSIONS, provenance=False)
    assert {one.outcome for one in unknown} == {"unsupported"}
    unranked = _records(_CONFIG, "", _SESSIONS, ranked=False)
    assert {one.outcome for one in unranked} == {"unscored"}

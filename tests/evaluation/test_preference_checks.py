"""`preference_checks`: four checks by a judge become one verdict, unreadable ones none, official ones their own."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from heams.evaluation import EvaluationRecord, PreferenceChecksEvaluator, PreferenceChecksEvaluatorConfig
from heams.evaluation.preference_errors import CHECKS
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario
from heta_framework.common.judge import Judge
from heta_framework.common.models.language.function import FunctionLanguageModel

GOOD = {"acknowledge": "yes", "violate": "no", "hallucinate": "no", "helpful": "yes"}


def judged(
    says: Mapping[str, str], markers: Mapping[str, Any] | None = None, **settings: Any
) -> dict[str, EvaluationRecord]:
    """The records when the judge of each check answers with these words; plain yes and no as it was told."""
    config = PreferenceChecksEvaluatorConfig.model_validate(
        {"judges": [{"model": "openai:judge-1"}], "reminders": 0, **settings}
    )
    judges = {check: _judge(config, check, says[check]) for check in CHECKS}
    given = {"preference": "I only drink tea."} if markers is None else markers
    stimulus = UserStimulus(content="What shall I drink?", step_evaluation_markers=given)
    scenario = Scenario("s", "s", [stimulus], (config,))
    evaluator = PreferenceChecksEvaluator(config, judges)
    records = asyncio.run(evaluator.evaluate(ScenarioOutcome(scenario, [Step(0, stimulus, reply="Have a tea.")])))
    assert [owed.metric for owed in evaluator.expected_records(scenario)] == [record.metric for record in records]
    return {record.metric: record for record in records}


def _judge(config: PreferenceChecksEvaluatorConfig, check: str, said: str) -> Judge:
    (policy,) = config.judge_configs[check].policies.values()
    reply = json.dumps({"reason": "so", "verdict": said}) if said in ("yes", "no") else said
    return Judge(policy, [FunctionLanguageModel(lambda _: reply, model_name="openai:judge-1")], reminders=0)


def values(found: Mapping[str, EvaluationRecord]) -> dict[str, float | None]:
    return {metric: record.value for metric, record in found.items()}


@pytest.mark.parametrize(
    ("changed", "lost"),
    [
        ({}, set()),
        ({"acknowledge": "no"}, {"acknowledged"}),
        ({"violate": "yes"}, {"preference_followed", "no_inconsistency"}),
        ({"violate": "yes", "hallucinate": "yes"}, {"preference_followed", "no_hallucinated_violation"}),
        (
            {"violate": "yes", "acknowledge": "no", "hallucinate": "yes"},
            {"preference_followed", "no_unaware_violation", "acknowledged"},
        ),
        ({"helpful": "no", "violate": "yes"}, {"preference_followed", "helpful"}),
    ],
)
def test_every_error_has_its_name(changed: Mapping[str, str], lost: set[str]) -> None:
    assert {metric for metric, value in values(judged({**GOOD, **changed})).items() if value == 0} == lost


def test_a_record_keeps_what_the_judge_said() -> None:
    record = judged(GOOD)["preference_followed"]
    assert (record.expected, record.observed) == ("I only drink tea.", "Have a tea.")
    assert record.reason == "acknowledge: yes, violate: no, hallucinate: no, helpful: yes"
    audit: Any = record.audit["checks"]
    assert audit["violate"]["policy"] == "prefeval_violate"
    assert audit["violate"]["label"] == "no"


def test_an_unreadable_check_is_no_verdict_but_officially_it_is_one() -> None:
    found = judged({**GOOD, "violate": "Who knows; my eyes hurt."}, legacy=True)
    assert found["preference_followed"].outcome == "unscored"
    assert found["preference_followed"].reason.startswith("violate: ")
    assert found["preference_followed_legacy"].value == 0  # "yes" stands in "eyes"
    assert values(judged(GOOD, legacy=True))["preference_followed_legacy"] == 1


def test_a_step_without_a_preference_is_not_judged() -> None:
    found = judged(GOOD, {})
    assert {record.outcome for record in found.values()} == {"unscored"}
    assert found["helpful"].reason == "the step has no marker 'preference'"
